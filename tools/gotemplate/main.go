// Renders template cases with Go's text/template and sprig.
// Reads a JSON list of {name, template, data} from stdin and writes a list of {output, error, phase} to stdout.
// With the argument "functions" it writes the types of sprig's functions instead.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

type testCase struct {
	Name     string          `json:"name"`
	Template string          `json:"template"`
	Data     json.RawMessage `json:"data"`
}

type result struct {
	Output string `json:"output"`
	Error  string `json:"error,omitempty"`
	Phase  string `json:"phase,omitempty"`
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "functions" {
		write(functionTypes())
		return
	}
	var cases []testCase
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	results := make([]result, len(cases))
	for i, c := range cases {
		results[i] = render(c)
	}
	write(results)
}

func write(value any) {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func functionTypes() map[string]string {
	types := map[string]string{}
	for name, function := range sprig.TxtFuncMap() {
		types[name] = fmt.Sprintf("%T", function)
	}
	return types
}

func render(c testCase) (r result) {
	var raw any
	if len(c.Data) > 0 {
		if err := json.Unmarshal(c.Data, &raw); err != nil {
			return result{Error: err.Error(), Phase: "data"}
		}
	}
	functions := sprig.TxtFuncMap()
	t, err := template.New("t").Funcs(functions).Parse(c.Template)
	if err != nil {
		return result{Error: err.Error(), Phase: "parse"}
	}
	var out strings.Builder
	if err := t.Execute(&out, typed(raw)); err != nil {
		return result{Output: out.String(), Error: err.Error(), Phase: "execute"}
	}
	return result{Output: out.String()}
}
