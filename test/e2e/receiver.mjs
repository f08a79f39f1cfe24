// Replaces the services that agents send to, and prints a line of JSON for everything that it receives: a collector of OpenTelemetry
// (OTLP over HTTP), Elasticsearch (as far as Filebeat needs it) and AWS' STS.
import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const {
    status = 200,
    type = 'application/json',
    body = '{}',
  } = answer(request, decoded(request, Buffer.concat(chunks)));
  response.writeHead(status, { 'content-type': type, 'x-elastic-product': 'Elasticsearch' }).end(body);
}).listen(8080);

function decoded({ headers }, body) {
  return headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

function answer({ method, url }, body) {
  const { pathname } = new URL(url, 'http://receiver');
  if (pathname === '/v1/traces') {
    // Protobuf keeps strings as they are, which is enough to recognize a span.
    print({ received: 'span', strings: body.toString('latin1').match(/[\x20-\x7e]{3,}/g) ?? [] });
    return { type: 'application/x-protobuf', body: '' };
  }
  if (pathname === '/_bulk') return bulk(body.toString());
  if (pathname === '/_license')
    return { body: JSON.stringify({ license: { uid: '1', type: 'basic', status: 'active' } }) };
  const form = new URLSearchParams(body.toString());
  if (form.get('Action') === 'AssumeRoleWithWebIdentity') return assumeRole(form);
  if (method === 'GET' && pathname === '/')
    return {
      body: JSON.stringify({ name: 'receiver', version: { number: '7.17.29', build_flavor: 'default' } }),
    };
  return {};
}

/** Elasticsearch's answer has an item for each action. */
function bulk(text) {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const items = [];
  for (let i = 0; i < lines.length; i += 2) {
    print({ received: 'log line', document: lines[i + 1] });
    items.push({ [Object.keys(lines[i])[0]]: { status: 201 } });
  }
  return { body: JSON.stringify({ took: 1, errors: false, items }) };
}

function assumeRole(form) {
  const [, claims = ''] = (form.get('WebIdentityToken') ?? '').split('.');
  const { sub, aud } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  print({ received: 'web identity', role: form.get('RoleArn'), sub, aud });
  const credentials = {
    AccessKeyId: 'ASIAEXAMPLE',
    SecretAccessKey: 'secret',
    SessionToken: 'session',
    Expiration: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const fields = Object.entries(credentials).map(([name, value]) => `<${name}>${value}</${name}>`);
  const result = `<AssumeRoleWithWebIdentityResult><Credentials>${fields.join('')}</Credentials></AssumeRoleWithWebIdentityResult>`;
  return {
    type: 'text/xml',
    body: `<AssumeRoleWithWebIdentityResponse>${result}</AssumeRoleWithWebIdentityResponse>`,
  };
}

function print(line) {
  console.log(JSON.stringify(line));
}
