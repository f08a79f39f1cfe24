// The OpenTelemetry operator's webhook for Pods, for podgraft verify; built by tools/oracles/build-oracles.mjs inside a copy of this module,
// because its packages are internal. The line marked "the judge" states its version.
module podgraft.dev/tools/oracles/opentelemetry-webhook

go 1.25.3

require github.com/open-telemetry/opentelemetry-operator v0.148.0 // the judge, copied
