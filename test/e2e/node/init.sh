#!/bin/bash
# The first process of the node: it sets up what its namespaces need, and waits. When it is killed, everything in them ends.
# init.sh ADDRESS SCRATCH: the node's address, and a folder for data that is not needed afterwards.
set -e
mount -t proc proc /proc
# Volumes that the kubelet mounts must reach containers.
mount --make-rshared /
# What the programs write outside their own folders stays off the host.
for folder in /run /var/log /var/lib /usr/libexec; do mount -t tmpfs tmpfs "$folder"; done
# In memory, and gone with the namespaces: deleting the files of images one by one takes a minute.
mount -t tmpfs tmpfs "$2"
ip link set lo up
# A bridge without ports, because not every kernel has dummy devices.
ip link add node0 type bridge
ip addr add "$1/24" dev node0
ip link set node0 up
# Leads nowhere, but programs look for it to find the node's address.
ip route add default via "${1%.*}.1" dev node0
echo 1 >/proc/sys/net/ipv4/ip_forward
touch "$2.ready"
while :; do sleep 3600 & wait $!; done
