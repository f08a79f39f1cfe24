// The ceiling: a bare node:https server that parses the review and answers a constant. Prints its port when it listens.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const [folder] = process.argv.slice(2);
const answer =
  '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"b1f5a7a4-1c7f-4b58-8a0e-3f6c1f0f9a01","allowed":true}}';
const server = createServer(
  { cert: readFileSync(`${folder}/tls.crt`), key: readFileSync(`${folder}/tls.key`), minVersion: 'TLSv1.3' },
  (request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': answer.length });
      response.end(answer);
    });
  },
);
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
