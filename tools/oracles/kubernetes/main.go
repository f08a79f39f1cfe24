// Answers JSON lines with what Kubernetes' own code makes of expressions, admission policies and Pods. Each line of the input is a
// question, each line of the output its answer.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"k8s.io/klog/v2"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
)

// question has one of these.
type question struct {
	Expression *expressionCase   `json:"expression"`
	Policies   *policyCase       `json:"policies"`
	Pods       []json.RawMessage `json:"pods"`
}

func main() {
	klog.LogToStderr(false)
	klog.SetOutput(bytes.NewBuffer(nil))
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if err := out.Encode(answerLine(line)); err != nil {
				log.Fatal(err)
			}
		}
		if err != nil {
			return
		}
	}
}

type failure struct {
	Failure string `json:"failure"`
}

// answerLine survives panics, as the API server does.
func answerLine(line []byte) (result any) {
	defer func() {
		if cause := recover(); cause != nil {
			result = failure{fmt.Sprintf("panic: %v", cause)}
		}
	}()
	var asked question
	if err := json.Unmarshal(line, &asked); err != nil {
		return failure{err.Error()}
	}
	var err error
	switch {
	case asked.Expression != nil:
		result, err = evaluate(*asked.Expression)
	case asked.Policies != nil:
		result, err = admit(*asked.Policies)
	default:
		result, err = storedPods(asked.Pods)
	}
	if err != nil {
		return failure{err.Error()}
	}
	return result
}
