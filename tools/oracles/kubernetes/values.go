package main

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// tagged writes a value as JSON that names the types which JSON does not have.
func tagged(value ref.Val) any {
	switch typed := value.(type) {
	case types.Null:
		return nil
	case types.Bool:
		return bool(typed)
	case types.String:
		return string(typed)
	case types.Int:
		return map[string]any{"int": exact(int64(typed) >= -1<<53 && int64(typed) <= 1<<53, typed)}
	case types.Uint:
		return map[string]any{"uint": exact(uint64(typed) <= 1<<53, typed)}
	case types.Double:
		return map[string]any{"double": taggedDouble(float64(typed))}
	case types.Bytes:
		return map[string]any{"bytes": base64.StdEncoding.EncodeToString(typed)}
	case types.Timestamp:
		return map[string]any{"timestamp": typed.Time.UTC().Format(time.RFC3339Nano)}
	case types.Duration:
		return map[string]any{"duration": strconv.FormatFloat(typed.Seconds(), 'f', -1, 64) + "s"}
	case *types.Type:
		return map[string]any{"type": typed.TypeName()}
	case *types.Optional:
		if !typed.HasValue() {
			return map[string]any{"none": true}
		}
		return map[string]any{"optional": tagged(typed.GetValue())}
	case apiservercel.Quantity:
		return map[string]any{"quantity": typed.String()}
	case *apiservercel.Quantity:
		return map[string]any{"quantity": typed.String()}
	case apiservercel.IP:
		return map[string]any{"ip": typed.Addr.String()}
	case apiservercel.CIDR:
		return map[string]any{"cidr": typed.Prefix.String()}
	case apiservercel.URL:
		return map[string]any{"url": typed.URL.String()}
	case apiservercel.Semver:
		return map[string]any{"semver": typed.Version.String()}
	case *apiservercel.Format:
		return map[string]any{"format": typed.Name}
	case traits.Lister:
		list := []any{}
		for each := typed.Iterator(); each.HasNext() == types.True; {
			list = append(list, tagged(each.Next()))
		}
		return list
	case traits.Mapper:
		entries := [][2]any{}
		for each := typed.Iterator(); each.HasNext() == types.True; {
			key := each.Next()
			entries = append(entries, [2]any{tagged(key), tagged(typed.Get(key))})
		}
		return map[string]any{"map": entries}
	}
	return map[string]any{"opaque": value.Type().TypeName()}
}

// exact integers are numbers, others texts.
func exact(isExact bool, value any) any {
	if isExact {
		return value
	}
	return fmt.Sprint(value)
}

func taggedDouble(value float64) any {
	switch {
	case math.IsNaN(value):
		return "NaN"
	case math.IsInf(value, 1):
		return "Infinity"
	case math.IsInf(value, -1):
		return "-Infinity"
	case value == 0 && math.Signbit(value):
		return "-0"
	}
	return value
}
