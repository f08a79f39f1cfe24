// Posts bodies at a fixed rate over keep-alive connections, to several servers in turn, and prints the latencies of each turn:
// `node steady-load.mjs FILE RATE SECONDS TURNS URL...`. Latency counts from the time at which a request was due, so that a slow server
// cannot slow down its own test. One process serves all turns, and the first turns do not count: while it is compiled, it stops for
// milliseconds at a time, which would count as latency.
import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';

const CONNECTIONS = 16;
const UNCOUNTED_TURNS = 5;
const [file, ratePerSecond, seconds, turns, ...urls] = process.argv.slice(2);
const millisecondsApart = 1000 / Number(ratePerSecond);
const perTurn = Math.round(Number(ratePerSecond) * Number(seconds));
const bodies = JSON.parse(readFileSync(file, 'utf8')).map((body) => Buffer.from(body));
const servers = await Promise.all(urls.map(openServer));
const results = servers.map(() => []);
for (let turn = -UNCOUNTED_TURNS; turn < Number(turns); turn++)
  for (const [index, server] of servers.entries()) {
    const latencies = await takeTurn(server);
    if (turn >= 0) results[index].push({ p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) });
  }
console.log(JSON.stringify(results));
process.exit(0);

async function openServer(url) {
  const { hostname, port, pathname, search } = new URL(url);
  const requests = bodies.map((body) => {
    const head = `POST ${pathname}${search} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), body]);
  });
  const connections = Array.from({ length: CONNECTIONS }, () => openConnection(hostname, Number(port)));
  return { requests, connections: await Promise.all(connections) };
}

/** Spins instead of sleeping: timers are too coarse for thousands of requests a second. */
function takeTurn({ requests, connections }) {
  return new Promise((resolve) => {
    const latencies = new Float64Array(perTurn);
    const idle = [...connections];
    const start = performance.now();
    const dueAt = (index) => start + index * millisecondsApart;
    let sent = 0;
    let answered = 0;
    const tick = () => {
      const now = performance.now();
      while (sent < perTurn && idle.length > 0 && dueAt(sent) <= now) {
        // The longest idle one, since servers close idle connections after seconds.
        const connection = idle.shift();
        const due = dueAt(sent);
        connection.send(requests[sent % requests.length], () => {
          latencies[answered++] = performance.now() - due;
          idle.push(connection);
        });
        sent++;
      }
      if (answered < perTurn) setImmediate(tick);
      else resolve(latencies.sort());
    };
    tick();
  });
}

function openConnection(host, port) {
  return new Promise((resolve) => {
    let received = '';
    let onAnswer = () => {};
    const socket = connect({ port, host, rejectUnauthorized: false });
    socket.setEncoding('latin1');
    socket.on('close', () => {
      throw new Error('A server closed a connection');
    });
    socket.on('data', (chunk) => {
      received += chunk;
      if (!isComplete(received)) return;
      if (!received.startsWith('HTTP/1.1 200')) throw new Error(received.split('\r\n')[0]);
      received = '';
      onAnswer();
    });
    socket.once('secureConnect', () =>
      resolve({
        send(request, onEnd) {
          onAnswer = onEnd;
          socket.write(request);
        },
      }),
    );
  });
}

function isComplete(response) {
  const end = response.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /content-length: (\d+)/i.exec(response)?.[1];
  if (length === undefined) throw new Error('A response has no Content-Length');
  return response.length >= end + 4 + Number(length);
}

function percentile(sorted, share) {
  return sorted[Math.floor(sorted.length * share)];
}
