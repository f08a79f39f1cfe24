import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { attachApacheScript, attachNginxScript, cloneNginxScript } from './web-server-scripts.ts';

let root: string;
const at = (...path: string[]) => join(root, ...path);
const read = (...path: string[]) => readFileSync(at(...path), 'utf8');
const write = (path: string, text: string) => {
  mkdirSync(join(at(path), '..'), { recursive: true });
  writeFileSync(at(path), text);
};
const run = (script: string, args: readonly string[], env: Record<string, string>) => {
  const path = `${at('bin')}:${process.env.PATH}`;
  execFileSync('/bin/sh', ['-c', script, '--', ...args], {
    env: { ...env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
};

beforeEach(() => {
  // The space makes unquoted paths fail.
  root = mkdtempSync(join(tmpdir(), 'podgraft scripts-'));
  for (const folder of ['image/conf', 'agent', 'conf', 'bin']) mkdirSync(at(folder), { recursive: true });
  write('image/conf/opentelemetry_sdk_log4cxx.xml.template', '<file value="__agent_log_dir__/a.log"/>');
});
afterEach(() => rmSync(root, { recursive: true }));

const paths = () => ({ image: at('image'), agent: at('agent'), conf: at('conf') });

describe('the script that attaches the module to Apache', () => {
  const conf = 'LoadModule otel_apache_module /x.so\nApacheModuleServiceName a & b';
  const attach = () =>
    run(attachApacheScript(paths()), ['/usr/local/apache2/conf'], {
      OTEL_APACHE_AGENT_CONF: `${conf}\nApacheModuleServiceInstanceId <<SID-PLACEHOLDER>>`,
      APACHE_SERVICE_INSTANCE_ID: 'web-7d865-x.1',
    });

  test('copies the module and sets its log folder', () => {
    write('conf/httpd.conf', 'Listen 80');
    attach();
    expect(read('agent/conf/opentelemetry_sdk_log4cxx.xml')).toBe(
      `<file value="${at('agent/logs')}/a.log"/>`,
    );
  });

  test('writes the settings and includes them once', () => {
    write('conf/httpd.conf', 'Listen 80');
    attach();
    attach();
    expect(read('conf/opentemetry_agent.conf')).toBe(
      `${conf}\nApacheModuleServiceInstanceId web-7d865-x.1\n`,
    );
    expect(read('conf/httpd.conf')).toBe(
      'Listen 80\nInclude /usr/local/apache2/conf/opentemetry_agent.conf\n',
    );
  });

  test('does nothing if the configuration is in another folder', () => {
    attach();
    expect(() => read('conf/httpd.conf')).toThrow('ENOENT');
  });
});

describe('the scripts that clone and attach to nginx', () => {
  const conf = 'NginxModuleServiceInstanceId web-7d865-x.1;';
  const module = () => at('agent/WebServerModule/Nginx/1.25.3/ngx_http_opentelemetry_module.so');
  const attach = () =>
    run(attachNginxScript(paths()), ['/etc/nginx', 'nginx.conf'], {
      OTEL_NGINX_AGENT_CONF: 'NginxModuleServiceInstanceId <<SID-PLACEHOLDER>>;',
      OTEL_NGINX_SERVICE_INSTANCE_ID: 'web-7d865-x.1',
    });

  beforeEach(() => {
    write('image/WebServerModule/Nginx/1.25.3/ngx_http_opentelemetry_module.so', '');
    write('conf/version.txt', 'nginx version: nginx/1.25.3 (Debian)\n');
  });

  test('clone the configuration and record the version', () => {
    write('bin/nginx', '#!/bin/sh\necho "nginx version: nginx/1.24.0" >&2\n');
    chmodSync(at('bin/nginx'), 0o755);
    write('etc/nginx.conf', 'http {}');
    write('etc/conf.d/site.conf', 'server {}');
    run(cloneNginxScript(paths()), [at('etc')], {});
    expect(read('conf/nginx.conf')).toBe('http {}');
    expect(read('conf/conf.d/site.conf')).toBe('server {}');
    expect(read('conf/version.txt')).toBe('nginx version: nginx/1.24.0\n');
  });

  test('put the settings into an included conf.d once', () => {
    const main = 'events {}\nhttp {\n  include /etc/nginx/conf.d/*.conf;\n}\n';
    write('conf/nginx.conf', main);
    write('conf/conf.d/site.conf', 'server {}');
    attach();
    attach();
    expect(read('conf/conf.d/opentelemetry_agent.conf')).toBe(`${conf}\n`);
    expect(read('conf/nginx.conf')).toBe(`load_module ${module()};\nenv OTEL_RESOURCE_ATTRIBUTES;\n${main}`);
  });

  test('include the settings in the http block if there is no conf.d', () => {
    write('conf/nginx.conf', 'events {}\nhttp {\n  server {}\n}\n');
    attach();
    expect(read('conf/opentelemetry_agent.conf')).toBe(`${conf}\n`);
    expect(read('conf/nginx.conf')).toBe(
      `load_module ${module()};\nenv OTEL_RESOURCE_ATTRIBUTES;\nevents {}\nhttp {\n    include /etc/nginx/opentelemetry_agent.conf;\n  server {}\n}\n`,
    );
  });

  test.each([
    ['for a version without a module', 'nginx version: nginx/1.9.1\n', 'http {\n}\n'],
    ['for an unknown version', 'sh: nginx: not found\n', 'http {\n}\n'],
    ['without an http block', 'nginx version: nginx/1.25.3\n', 'stream {\n}\n'],
  ])('do not change a configuration %s', (_, version, main) => {
    write('conf/version.txt', version);
    write('conf/nginx.conf', main);
    attach();
    expect(read('conf/nginx.conf')).toBe(main);
  });
});
