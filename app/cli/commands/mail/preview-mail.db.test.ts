import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { messageNames } from "~/domain/shop/mail"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"

let line: CommandLine
beforeAll(async () => {
  line = await openCommandLine()
})
afterAll(() => line.close())

test("mail preview shows subject and text of a message, in English by default", async () => {
  const { exitCode, output } = await line.command("mail preview receipt")
  expect(exitCode).toBe(0)
  expect(output).toMatch(/^Subject: Your access is ready\n\nBoxoffice\n\nYour access is ready\n/)
  expect(output).toContain("Open your access:\nhttp://127.0.0.1:3000/checkout/\n")
  expect(await line.command("mail preview receipt en-en --text")).toEqual({ exitCode, output })
})

test("mail preview --html shows the HTML, in any language", async () => {
  const { output } = await line.command("mail preview partly-paid de-de --html")
  expect(output).toMatch(/^<!doctype html><html lang="de-DE"/)
  expect(output).toContain("Es fehlen noch 38,90\u00a0€")
  expect(output).not.toContain("\\u")
})

test("mail preview shows every message, and --json both forms", async () => {
  for (const name of messageNames) {
    const { exitCode, output } = await line.command(`mail preview ${name} nl-nl --json`)
    expect([name, exitCode]).toEqual([name, 0])
    expect(JSON.parse(output)).toMatchObject({ name, locale: "nl-nl", file: null })
    expect(JSON.parse(output).html).toContain("</html>")
  }
})

test("mail preview uses the shop's brand and the operator's own words", async () => {
  const file = join(line.folder, "shop.json")
  const messages = { receipt: { "es-es": { subject: "Ya está", paragraph: "Que lo disfrutes." } } }
  const brand = { name: "Nordlicht TV", colours: { light: "#0a7a5a" } }
  writeFileSync(
    file,
    JSON.stringify({ brand, links: {}, apps: [], mail: { seller: "Nordlicht OÜ, Tallinn", messages } }),
  )
  const { output } = await line.command("mail preview receipt es-es", "", { SHOP_FILE: file })
  expect(output).toMatch(/^Subject: Ya está\n\nNordlicht TV\n\nTu acceso está listo\n/)
  expect(output).toContain("\n\nQue lo disfrutes.\n")
  expect(output).toContain("\nNordlicht OÜ, Tallinn\n")
  const { output: html } = await line.command("mail preview receipt es-es --html", "", { SHOP_FILE: file })
  expect(html).toContain("background-color:#0a7a5a")
})

test("mail preview --file writes the message to a file", async () => {
  const file = join(line.folder, "receipt.html")
  expect(await line.command(`mail preview receipt --html --file ${file}`)).toEqual({
    exitCode: 0,
    output: `Message written to ${file}.`,
  })
  expect(readFileSync(file, "utf8")).toMatch(/^<!doctype html>.*<\/html>\n$/s)
})

test.each([
  ["an unknown message", "mail preview welcome", /Unknown message "welcome"\. Messages: receipt, /],
  ["an unknown language", "mail preview receipt fr-fr", /Unknown language "fr-fr"\. Languages: en-en, /],
  ["both forms at once", "mail preview receipt --html --text", /Choose --html or --text\./],
])("mail preview refuses %s", async (_what, command, message) => {
  const { exitCode, output } = await line.command(command)
  expect(exitCode).toBe(2)
  expect(output).toMatch(message)
})
