// The OpenTelemetry operator as the judge of random Pods; built by tools/oracles/build-oracles.mjs inside a copy of this module, because
// its packages are internal. The line marked "the judge" states its version.
module podgraft.dev/tools/oracles/opentelemetry

go 1.25.3

require github.com/open-telemetry/opentelemetry-operator v0.148.0 // the judge, copied
