// Without this, a worker whose runner has died (a signal, a closed terminal) would continue for minutes and keep its control
// planes running.
process.once('disconnect', () => process.exit(1));
