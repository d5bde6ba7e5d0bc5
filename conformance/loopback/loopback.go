// Package loopback runs a test binary in a network of its own that ends at the loopback interface, so that "no network
// but loopback" is a fact and not a hope: a client that phones home, fetches a catalogue or resolves a name fails in
// the same way on every machine.
package loopback

// OpenVariable names the environment variable that, set to "1", runs the tests in the machine's own network where no
// namespace may be made. The clients' proxies then still lead nowhere.
const OpenVariable = "SUBAGENTS_CONFORMANCE_OPEN_NETWORK"

// Description says in which network the tests run, for a report.
func Description() string {
	if isolated() {
		return "a namespace with only a loopback interface"
	}
	return "the machine's own, proxies leading nowhere"
}
