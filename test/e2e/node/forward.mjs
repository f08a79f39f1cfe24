// Forwards connections: `node forward.mjs LISTEN TARGET`, each a path of a Unix socket or HOST:PORT. Unix sockets do not belong to a
// network namespace, so two of these connect one namespace with another. Prints the port that it listens on, if it chose one.
import { connect, createServer } from 'node:net';

const [listen, target] = process.argv.slice(2).map(address);

const server = createServer((client) => {
  const upstream = connect(target);
  client.pipe(upstream).pipe(client);
  client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
  upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
});
server.listen(listen, () => console.log(server.address().port ?? listen.path));

function address(text) {
  if (text.startsWith('/')) return { path: text };
  const [host, port] = text.split(':');
  return { host, port: Number(port) };
}
