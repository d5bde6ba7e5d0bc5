package standin

import (
	"bufio"
	"encoding/json"
	"io"
)

// MCPArgument makes a test binary serve MCP instead of running tests: a client is told to start the binary itself
// with this one argument, so that an MCP server exists without anything to install.
const MCPArgument = "standin-mcp"

// MCPTools are the tools of the stand-in MCP server.
var MCPTools = []string{"ping", "pong"}

// ServeMCP speaks the Model Context Protocol over a stream of lines until it ends. Its tools take nothing and answer
// with their name. https://modelcontextprotocol.io/specification
func ServeMCP(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	encoder := json.NewEncoder(out)
	for lines.Scan() {
		var call struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				ProtocolVersion, Name string
			} `json:"params"`
		}
		if json.Unmarshal(lines.Bytes(), &call) != nil || call.ID == nil {
			continue // a notification wants no answer
		}
		reply := map[string]any{"jsonrpc": "2.0", "id": call.ID}
		if result := mcpResult(call.Method, call.Params.ProtocolVersion, call.Params.Name); result != nil {
			reply["result"] = result
		} else {
			reply["error"] = map[string]any{"code": -32601, "message": "the stand-in has no " + call.Method}
		}
		if err := encoder.Encode(reply); err != nil {
			return err
		}
	}
	return lines.Err()
}

func mcpResult(method, version, tool string) any {
	switch method {
	case "initialize":
		return map[string]any{
			"protocolVersion": version, "capabilities": map[string]any{"tools": map[string]any{}},
			"serverInfo": map[string]any{"name": "standin", "version": "1"},
		}
	case "ping":
		return map[string]any{}
	case "tools/list":
		var tools []any
		for _, name := range MCPTools {
			tools = append(tools, map[string]any{
				"name": name, "description": "Answers " + name + ".", "inputSchema": map[string]any{"type": "object", "properties": map[string]any{}},
			})
		}
		return map[string]any{"tools": tools}
	case "tools/call":
		return map[string]any{"content": []any{map[string]any{"type": "text", "text": "answer of " + tool}}}
	default:
		return nil
	}
}
