// Posts bodies at a fixed rate over keep-alive connections and prints latencies: `node steady-load.mjs PORT RATE SECONDS FILE PATH`.
// Latency counts from the time at which a request was due, so that a slow server cannot slow down its own test. The first seconds do
// not count: this process is compiled in them, which stops it for milliseconds at a time.
import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 2;
const [port, rate, seconds, file, path] = process.argv.slice(2);
const requests = JSON.parse(readFileSync(file, 'utf8')).map((body) => {
  const bytes = Buffer.from(body);
  const head = `POST ${path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
});
const uncounted = Math.round(Number(rate) * WARM_UP_SECONDS);
const total = uncounted + Math.round(Number(rate) * Number(seconds));
const latencies = [];
let answered = 0;
const due = [];
const idle = await Promise.all(Array.from({ length: CONNECTIONS }, open));

const start = performance.now();
let scheduled = 0;
tick();

/** Spins instead of sleeping: timers are too coarse for thousands of requests a second. */
function tick() {
  const now = performance.now();
  while (scheduled < total && start + (scheduled * 1000) / Number(rate) <= now) {
    due.push(start + (scheduled * 1000) / Number(rate));
    scheduled++;
  }
  while (due.length > 0 && idle.length > 0) idle.pop().send(due.shift());
  if (answered < total) return setImmediate(tick);
  latencies.sort((one, other) => one - other);
  const percentile = (share) => latencies[Math.floor(latencies.length * share)];
  console.log(JSON.stringify({ p50: percentile(0.5), p99: percentile(0.99) }));
  process.exit(0);
}

function open() {
  return new Promise((resolve) => {
    let sent = 0;
    let received = '';
    const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false });
    const connection = {
      send(at) {
        sent = at;
        socket.write(requests[answered % requests.length]);
      },
    };
    socket.setEncoding('latin1');
    socket.once('secureConnect', () => resolve(connection));
    socket.on('data', (chunk) => {
      received += chunk;
      if (!isComplete(received)) return;
      if (!received.startsWith('HTTP/1.1 200')) throw new Error(received.split('\r\n')[0]);
      received = '';
      if (answered++ >= uncounted) latencies.push(performance.now() - sent);
      idle.push(connection);
    });
  });
}

function isComplete(response) {
  const end = response.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /content-length: (\d+)/i.exec(response)?.[1];
  if (length === undefined) throw new Error('A response has no Content-Length');
  return response.length >= end + 4 + Number(length);
}
