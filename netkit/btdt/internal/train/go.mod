module github.com/agentnet/netctl/netkit/btdt/internal/train

go 1.26.0

require github.com/agentnet/netctl v0.0.0

require golang.org/x/text v0.43.0

replace github.com/agentnet/netctl => ../../../..
