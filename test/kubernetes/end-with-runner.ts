// A worker whose runner has died (a signal, a closed terminal) would go on with its test file for minutes, and keep the control
// planes that it has started.
process.once('disconnect', () => process.exit(1));
