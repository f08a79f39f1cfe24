package main

import "fmt"

// mode is an enum with a String method, like those of protocol buffers.
type mode int32

func (m mode) String() string {
	return map[mode]string{0: "REDIRECT", 1: "TPROXY"}[m]
}

// word is a named string without methods.
type word string

// boxed is like a wrapper message of protocol buffers: its methods accept a nil pointer.
type boxed struct{ Value bool }

func (b *boxed) GetValue() bool {
	if b == nil {
		return false
	}
	return b.Value
}

type host struct {
	Name   string
	Count  int
	Small  int32
	Size   uint16
	Ratio  float64
	Ready  bool
	Tags   []string
	Labels map[string]string
	Values map[string]any
	Any    any
	Mode   mode
	Word   word
	Hold   *boxed
	None   *boxed
	Next   *host
	Items  []item
}

type item struct {
	Name string
	Port int32
}

func (h *host) Greet(greeting string) string            { return greeting + ", " + h.Name }
func (h *host) Add(a int, rest ...int) int              { return sum(append(rest, a)) }
func (h *host) Fails() (string, error)                  { return "", fmt.Errorf("host failed") }
func (h *host) Func() func(int, string) (string, error) { return repeatText }

func sum(values []int) int {
	total := 0
	for _, v := range values {
		total += v
	}
	return total
}

func repeatText(n int, text string) (string, error) {
	return fmt.Sprint(n, text), nil
}

func sample() *host {
	return &host{
		Name: "web", Count: 3, Small: -7, Size: 8080, Ratio: 2.5, Ready: true,
		Tags:   []string{"a", "b"},
		Labels: map[string]string{"app": "shop", "tier": ""},
		Values: map[string]any{"n": float64(1), "nothing": nil, "list": []any{float64(1), "x", nil}},
		Mode:   1, Word: "hey",
		Hold:  &boxed{true},
		Items: []item{{"http", 80}, {"https", 443}},
	}
}

// typed replaces the marks in the data of a case by values that JSON cannot represent.
func typed(raw any) any {
	switch v := raw.(type) {
	case []any:
		for i := range v {
			v[i] = typed(v[i])
		}
	case map[string]any:
		if special, ok := marked(v); ok {
			return special
		}
		for k := range v {
			v[k] = typed(v[k])
		}
	}
	return raw
}

func marked(v map[string]any) (any, bool) {
	if len(v) != 1 {
		return nil, false
	}
	for mark, arg := range v {
		switch mark {
		case "$int":
			return int(arg.(float64)), true
		case "$int64":
			return int64(arg.(float64)), true
		case "$uint32":
			return uint32(arg.(float64)), true
		case "$strings":
			return stringsOf(arg), true
		case "$stringMap":
			return stringMapOf(arg), true
		case "$mode":
			return mode(arg.(float64)), true
		case "$host":
			return sample(), true
		case "$func":
			return repeatText, true
		}
	}
	return nil, false
}

func stringsOf(arg any) []string {
	if arg == nil {
		return nil
	}
	out := []string{}
	for _, item := range arg.([]any) {
		out = append(out, item.(string))
	}
	return out
}

func stringMapOf(arg any) map[string]string {
	if arg == nil {
		return nil
	}
	out := map[string]string{}
	for k, item := range arg.(map[string]any) {
		out[k] = item.(string)
	}
	return out
}
