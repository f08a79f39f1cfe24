// A bare Go server, which bench/peers.mjs compares with.
module podgraft.dev/bench/peers/bare-go

go 1.26.0
