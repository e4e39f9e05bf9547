// Go: a sender of webhooks against the receiver, which runs as a process of its own.
package sender_test

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

const secret = "s3cret"

type receiver struct {
	t       *testing.T
	URL     string
	Control string
}

type request struct {
	Attempt   int
	Signature struct{ Verdict string }
	Answer    struct{ Said string }
}

func startReceiver(t *testing.T) receiver {
	command := os.Getenv("WAYBILL_RECEIVER")
	if command == "" {
		command = "node_modules/.bin/waybill-receiver"
	}
	args := append(strings.Fields(command), "--json", "--port", "0", "--control-port", "0", "--secret", secret)
	process := exec.Command(args[0], args[1:]...)
	output, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		process.Process.Signal(syscall.SIGTERM)
		process.Wait()
	})
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	started := receiver{t: t}
	if err := json.Unmarshal(line, &started); err != nil {
		t.Fatal(err)
	}
	return started
}

func (r receiver) ask(method, path string, body, answer any) {
	r.t.Helper()
	sent, _ := json.Marshal(body)
	asked, _ := http.NewRequest(method, r.Control+path, bytes.NewReader(sent))
	got, err := http.DefaultClient.Do(asked)
	if err != nil {
		r.t.Fatal(err)
	}
	defer got.Body.Close()
	if got.StatusCode != http.StatusOK {
		r.t.Fatalf("%s %s was answered %s", method, path, got.Status)
	}
	if err := json.NewDecoder(got.Body).Decode(answer); err != nil {
		r.t.Fatal(err)
	}
}

func (r receiver) script(text string) {
	r.t.Helper()
	r.ask(http.MethodPut, "/v1/script", map[string]string{"script": text}, &struct{}{})
}

func (r receiver) wait(count int) []request {
	r.t.Helper()
	var answer struct{ Requests []request }
	r.ask(http.MethodGet, fmt.Sprintf("/v1/wait?count=%d&within=10s", count), nil, &answer)
	return answer.Requests
}

// Yours instead: it signs, and tries again what was not answered 2xx.
func send(url string, event any, attempts int) bool {
	body, _ := json.Marshal(event)
	digest := hmac.New(sha1.New, []byte(secret))
	digest.Write(body)
	for range attempts {
		sent, _ := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
		sent.Header.Set("Content-Type", "application/json")
		sent.Header.Set("X-Signature", hex.EncodeToString(digest.Sum(nil)))
		answer, err := http.DefaultClient.Do(sent)
		if err != nil {
			continue
		}
		answer.Body.Close()
		if answer.StatusCode < 300 {
			return true
		}
	}
	return false
}

var event = map[string]string{"type": "track", "event": "Order Completed", "messageId": "m-1"}

func TestTriesAgainUntilItIsAnswered(t *testing.T) {
	receiver := startReceiver(t)
	receiver.script("503x2,200")
	if !send(receiver.URL, event, 3) {
		t.Error("the event was given up")
	}
	said := []string{}
	for _, one := range receiver.wait(3) {
		said = append(said, one.Answer.Said+" "+one.Signature.Verdict)
	}
	if got := strings.Join(said, ", "); got != "503 valid, 503 valid, 200 valid" {
		t.Error(got)
	}
}

func TestGivesUpAfterThreeAttempts(t *testing.T) {
	receiver := startReceiver(t)
	receiver.script("500")
	if send(receiver.URL, event, 3) {
		t.Error("the event was answered well")
	}
	if requests := receiver.wait(3); requests[2].Attempt != 3 {
		t.Error(requests)
	}
}
