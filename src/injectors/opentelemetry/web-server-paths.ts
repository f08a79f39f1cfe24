const ROOT = '/opt/opentelemetry-webserver';

/** Where the module stands in its image. */
export const IMAGE_FOLDER = '/opt/opentelemetry';
/** Where the application's container finds it. */
export const AGENT_FOLDER = `${ROOT}/agent`;
/** Where the init containers find the copy of the server's configuration. */
export const SOURCE_CONF = `${ROOT}/source-conf`;
export const LIBRARIES = `${AGENT_FOLDER}/sdk_lib/lib`;

export interface ScriptPaths {
  readonly image: string;
  readonly agent: string;
  readonly conf: string;
}

export const POD_PATHS: ScriptPaths = { image: IMAGE_FOLDER, agent: AGENT_FOLDER, conf: SOURCE_CONF };
