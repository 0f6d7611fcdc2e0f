package main

import (
	"log"
	"os"

	"github.com/wneessen/go-mail"
)

func main() {
	message := mail.NewMsg()
	check(message.From("app@shop.test"))
	check(message.To(os.Getenv("TO")))
	message.Subject("Your code")
	message.SetBodyString(mail.TypeTextPlain, "Your code is 481516.")
	client, err := SETUP
	check(err)
	check(client.DialAndSend(message))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
