package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// baseMark stands for the network's address until a page is asked for.
const baseMark = "{base}"

// examplePath fills in the parameters of a path.
func examplePath(path string) string {
	return strings.NewReplacer("{slug}", "ada", "{id}", "17", "{seq}", "0", "{account}", "treasury", "{sha}", strings.Repeat("0", 64)).Replace(path)
}

// exampleBody writes an example without escapes that only HTML wants.
func exampleBody(example any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(example); err != nil {
		return "{}"
	}
	return strings.TrimSpace(b.String())
}

// indented is an example as people read it.
func indented(example any) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(exampleBody(example)), "", "  ") != nil || example == nil {
		return ""
	}
	return b.String()
}

// writes reports whether an operation changes something, and so takes an
// idempotency key.
func (op *operation) writes() bool { return op.Method != "GET" }

// curlOf is the operation as a command of curl.
func curlOf(op *operation, example any) string {
	var b strings.Builder
	b.WriteString("curl")
	if op.writes() {
		b.WriteString(" -X " + op.Method)
	}
	b.WriteString(" '" + baseMark + examplePath(op.Path) + "'")
	add := func(format string, args ...any) { fmt.Fprintf(&b, " \\\n  "+format, args...) }
	if op.Auth == "required" {
		add(`-H "Authorization: Bearer $TOKEN"`)
	}
	if op.writes() {
		add(`-H "Idempotency-Key: $(uuidgen)"`)
	}
	switch {
	case op.BodyType == "application/json":
		add("-H 'Content-Type: application/json'")
		add("-d '%s'", strings.ReplaceAll(exampleBody(example), "'", `'\''`))
	case op.BodyType != "":
		add("--data-binary @FILE")
	}
	return b.String()
}

// goOf is the operation as a program that needs the standard library alone.
func goOf(op *operation, example any) string {
	body, imports := "nil", []string{"fmt", "io", "log", "net/http"}
	var open string
	switch {
	case op.BodyType == "application/json":
		body = "strings.NewReader(" + quote(exampleBody(example)) + ")"
		imports = append(imports, "strings")
	case op.BodyType != "":
		open = "\tbody, err := os.Open(\"FILE\")\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n"
		body = "body"
		imports = append(imports, "os")
	}
	if op.Auth == "required" && body != "body" {
		imports = append(imports, "os")
	}
	slices.Sort(imports)
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n")
	for _, i := range imports {
		fmt.Fprintf(&b, "\t%q\n", i)
	}
	fmt.Fprintf(&b, ")\n\nfunc main() {\n%s\treq, err := http.NewRequest(%q, %q, %s)\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n", open, op.Method, baseMark+examplePath(op.Path), body)
	b.WriteString(headersOf(op))
	b.WriteString("\tresp, err := http.DefaultClient.Do(req)\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n\tdefer resp.Body.Close()\n" +
		"\tanswer, err := io.ReadAll(resp.Body)\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n\tfmt.Println(resp.Status, string(answer))\n}\n")
	return b.String()
}

func headersOf(op *operation) string {
	var b strings.Builder
	set := func(name, value string) { fmt.Fprintf(&b, "\treq.Header.Set(%q, %s)\n", name, value) }
	if op.Auth == "required" {
		set("Authorization", `"Bearer "+os.Getenv("TOKEN")`)
	}
	if op.writes() {
		set("Idempotency-Key", `"one-per-purchase"`)
	}
	if op.BodyType == "application/json" {
		set("Content-Type", `"application/json"`)
	}
	return b.String()
}

// quote writes text as a Go string, raw where that is possible.
func quote(s string) string {
	if strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}
