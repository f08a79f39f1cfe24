/**
 * The scripts of the init containers, in POSIX sh, the only shell in the images. If the module cannot be used, the configuration
 * stays unchanged, so that the server starts without telemetry rather than not at all.
 */

const ROOT = '/opt/opentelemetry-webserver';

/** The module in the application's container. */
export const AGENT_FOLDER = `${ROOT}/agent`;
export const LIBRARIES = `${AGENT_FOLDER}/sdk_lib/lib`;
/** The copy of the server's configuration in the init containers. */
export const SOURCE_CONF = `${ROOT}/source-conf`;

export interface ScriptPaths {
  /** The module in its image. */
  readonly image: string;
  readonly agent: string;
  readonly conf: string;
}

export const POD_PATHS: ScriptPaths = { image: '/opt/opentelemetry', agent: AGENT_FOLDER, conf: SOURCE_CONF };

/** Replaced by the Pod's name, because the variable with the name comes after the one with the settings. */
export const INSTANCE_PLACEHOLDER = '<<SID-PLACEHOLDER>>';

/** Arguments: the folder of the configuration in the application's container. */
export function attachApacheScript({ image, agent, conf }: ScriptPaths): string {
  return `set -eu
${copyModule(image, agent)}
if [ ! -f '${conf}/httpd.conf' ]; then
  echo "no httpd.conf in $1: the server starts without telemetry" >&2
  exit 0
fi
${settings('OTEL_APACHE_AGENT_CONF', 'APACHE_SERVICE_INSTANCE_ID')} > '${conf}/opentemetry_agent.conf'
include="Include $1/opentemetry_agent.conf"
if ! grep -qF "$include" '${conf}/httpd.conf'; then
  printf '\\n%s\\n' "$include" >> '${conf}/httpd.conf'
fi
`;
}

/** Arguments: the folder of the configuration. */
export function cloneNginxScript({ conf }: Pick<ScriptPaths, 'conf'>): string {
  return `set -eu
cp -r "$1/." '${conf}'
nginx -v 2> '${conf}/version.txt' || true
`;
}

/** Arguments: the folder of the configuration in the application's container, and the name of its main file. */
export function attachNginxScript({ image, agent, conf }: ScriptPaths): string {
  return `set -eu
${copyModule(image, agent)}
main='${conf}'/"$2"
version=$(sed -n 's|^nginx version: [^/]*/\\([0-9.]*\\).*|\\1|p' '${conf}/version.txt' 2> /dev/null || true)
module='${agent}'/WebServerModule/Nginx/"$version"/ngx_http_opentelemetry_module.so
if [ -z "$version" ] || [ ! -f "$module" ]; then
  echo "no module for nginx \${version:-of unknown version}: the server starts without telemetry" >&2
  exit 0
fi
if [ ! -f "$main" ]; then
  echo "no $2 in $1: the server starts without telemetry" >&2
  exit 0
fi
if grep -qF "$module" "$main"; then exit 0; fi
if [ -d '${conf}/conf.d' ] && grep -q '^[[:space:]]*include[[:space:]].*conf\\.d/\\*\\.conf' "$main"; then
  ${settings('OTEL_NGINX_AGENT_CONF', 'OTEL_NGINX_SERVICE_INSTANCE_ID')} > '${conf}/conf.d/opentelemetry_agent.conf'
elif grep -q '^[[:space:]]*http[[:space:]]*{' "$main"; then
  ${settings('OTEL_NGINX_AGENT_CONF', 'OTEL_NGINX_SERVICE_INSTANCE_ID')} > '${conf}/opentelemetry_agent.conf'
  sed "s|^[[:space:]]*http[[:space:]]*{|&\\\\
    include $1/opentelemetry_agent.conf;|" "$main" > "$main.new"
  cat "$main.new" > "$main"
  rm "$main.new"
else
  echo "no http block in $2: the server starts without telemetry" >&2
  exit 0
fi
printf 'load_module %s;\\nenv OTEL_RESOURCE_ATTRIBUTES;\\n' "$module" | cat - "$main" > "$main.new"
cat "$main.new" > "$main"
rm "$main.new"
`;
}

/** The module's logging configuration has to contain the folder for logs. */
function copyModule(image: string, agent: string): string {
  return `cp -r '${image}/.' '${agent}'
mkdir -p '${agent}/logs'
chmod a+rwx '${agent}/logs'
log='${agent}/conf/opentelemetry_sdk_log4cxx.xml'
if [ -f "$log.template" ]; then
  sed 's|__agent_log_dir__|${agent}/logs|g' "$log.template" > "$log"
fi`;
}

/** Prints the module's settings. Both arguments are names of variables. */
function settings(conf: string, instance: string): string {
  return `printf '%s\\n' "$${conf}" | sed "s|${INSTANCE_PLACEHOLDER}|$${instance}|g"`;
}
