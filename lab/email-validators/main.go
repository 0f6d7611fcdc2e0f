// Prints one line of JSON for each validator of Go: whether it takes each of the addresses that are its arguments.
package main

import (
	"encoding/json"
	"fmt"
	"net/mail"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/asaskevich/govalidator"
	"github.com/badoux/checkmail"
	"github.com/go-playground/validator/v10"
)

func main() {
	print("syntax", "Go `net/mail.ParseAddress`", runtime.Version()[2:], func(address string) bool {
		_, err := mail.ParseAddress(address)
		return err == nil
	})
	playground := validator.New()
	print("syntax", "go-playground/validator `email`", versionOf("github.com/go-playground/validator/v10"), func(address string) bool {
		return playground.Var(address, "email") == nil
	})
	print("syntax", "govalidator `IsEmail`", versionOf("github.com/asaskevich/govalidator"), govalidator.IsEmail)
	print("DNS", "govalidator `IsExistingEmail`", versionOf("github.com/asaskevich/govalidator"), govalidator.IsExistingEmail)
	print("DNS", "checkmail `ValidateMX`", versionOf("github.com/badoux/checkmail"), func(address string) bool {
		return checkmail.ValidateMX(address) == nil
	})
}

func versionOf(path string) string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == path {
			return module.Version[1:]
		}
	}
	return ""
}

func print(kind, title, version string, accepts func(string) bool) {
	accepted := []bool{}
	for _, address := range os.Args[1:] {
		accepted = append(accepted, accepts(address))
	}
	line, _ := json.Marshal(map[string]any{"kind": kind, "title": title, "version": version, "accepted": accepted})
	fmt.Println(string(line))
}
