import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type CommandLine, openCommandLine } from "../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"/>'

/** Writes a file of sections, and sets them. */
async function set(sections: unknown, reason = "spring") {
  const file = join(line.folder, "brand.json")
  writeFileSync(file, typeof sections === "string" ? sections : JSON.stringify(sections))
  return line.command(`brand set ${file} --reason ${reason}`)
}
const shown = async () => JSON.parse((await line.command("brand show --json")).output)

test("a file sets its sections, with the logo that it names, and the others stay", async () => {
  writeFileSync(join(line.folder, "logo.svg"), svg)
  const brand = { name: "Northlight", logo: { file: "logo.svg", withName: false } }
  expect((await set({ brand })).output).toContain("Version 1 holds.")
  const messages = { receipt: { "de-de": { subject: "Es geht los" } } }
  expect((await set({ mail: { messages } })).output).toContain(
    "mail.messages.receipt.de-de.subject: – → Es geht los",
  )
  const { version, sources, content } = await shown()
  expect([version, sources]).toEqual([
    2,
    {
      brand: "version 2",
      links: "shop file",
      apps: "shop file",
      setup: "shop file",
      legal: "shop file",
      documents: "shop file",
      methods: "shop file",
      mail: "version 2",
    },
  ])
  expect(content.brand).toMatchObject({
    name: "Northlight",
    logo: { data: Buffer.from(svg).toString("base64"), withName: false },
  })
  const { output } = await line.command("mail preview receipt de-de")
  expect(output).toContain("Subject: Es geht los")
  expect(output).toContain("Northlight")
})

test("what is shown can be set again", async () => {
  await set({ links: { support: "https://northlight.example/help" } })
  const { content } = await shown()
  expect((await set(content)).exitCode).toBe(0)
  expect((await shown()).content).toEqual(content)
})

test.each([
  ["no JSON", "{", "is not a JSON object"],
  ["a list", "[]", "is not a JSON object"],
  ["a link that runs a script", { links: { support: "javascript:alert(1)" } }, "links.support"],
  ["a section that there is not", { taxes: {} }, "taxes"],
  ["a picture that is not there", { brand: { logo: { file: "none.svg" } } }, "none.svg"],
])("a file with %s is refused and named, and makes no version", async (_, sections, message) => {
  const { exitCode, output } = await set(sections)
  expect(exitCode).toBe(1)
  expect(output).toContain(message)
  expect((await shown()).version).toBe(0)
})

test("a version is restored, and a reset gives the shop file's values, each in words", async () => {
  await set({ brand: { name: "One" } })
  await set({ brand: { name: "Two" } })
  expect((await line.command("brand compare 1 2")).output).toContain("brand.name: One → Two")
  expect((await line.command("brand restore 1 --reason mistake")).output).toContain("brand.name: Two → One")
  expect((await line.command("brand reset --reason enough")).output).toContain(
    "brand: set here → as in the shop file",
  )
  expect((await line.command("brand reset --reason again")).exitCode).toBe(1)
  expect((await line.command("brand restore 9 --reason x")).output).toContain("Version 9 not found")
  expect((await line.command("brand versions")).output.split("\n")).toHaveLength(4)
})
