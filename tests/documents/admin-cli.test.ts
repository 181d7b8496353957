import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import type { Command } from "~/cli/command"
import { addPromotion } from "~/cli/commands/catalogue/promotions.server"
import { allCommands } from "~/cli/grammar.server"
import { orderFilterOptions } from "~/cli/order-filter.server"
import { needKinds } from "~/domain/console/console-need"

const optionsOf = ({ options = {}, flags = {} }: Command) => [...Object.keys(options), ...Object.keys(flags)]

/** The options that a row refers to instead of naming them. */
const referredTo: Record<string, readonly string[]> = {
  "[conditions of orders list]": Object.keys(orderFilterOptions),
  "[options of promotions add]": optionsOf(addPromotion),
}

/** The commands in the first cells of the table, such as `orders add-tag NUMBER TAG`. One that has several forms has each of them. */
const forms = readFileSync("docs/admin-cli.md", "utf8")
  .replaceAll("\\|", "/")
  .replace(/\[(conditions|options) of [a-z ]+\]/g, (it) =>
    (referredTo[it] ?? []).map((name) => `--${name}`).join(" "),
  )
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .flatMap((line) => [...(line.split(" | ")[0] ?? "").matchAll(/`([a-z][^`]*)`/g)])
  .map(([, form = ""]) => form)

test.each([...allCommands()])("docs/admin-cli.md has %s with all that it takes", (name, command) => {
  const written = forms.filter((form) => form === name || form.startsWith(`${name} `))
  const named = new Set(written.flatMap((form) => [...form.matchAll(/--([\w-]+)/g)].map(([, it]) => it)))
  expect([...named].toSorted()).toEqual(optionsOf(command).toSorted())
  const words = written.map(
    (form) =>
      form
        .slice(name.length)
        .split(/\[?--/, 1)[0]
        ?.match(/[^ []+/g)?.length ?? 0,
  )
  expect(Math.max(...words)).toBe(command.args.length + (command.optionalArg === undefined ? 0 : 1))
})

test("docs/admin-cli.md has each kind of what needs a person", () => {
  const row = readFileSync("docs/admin-cli.md", "utf8")
    .split("\n")
    .find((line) => line.startsWith("| `needs list`"))
  const [, kinds = ""] = /`kind` \(([^)]+)\)/.exec(row ?? "") ?? []
  expect(kinds.split(", ")).toEqual(needKinds.map((kind) => `\`${kind}\``))
})
