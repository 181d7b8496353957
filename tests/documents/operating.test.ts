import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { type ConsoleText, consoleText } from "~/i18n/console-texts.server"

test("docs/operating.md has every page of the console's menu, in its order", () => {
  const menu = readFileSync("app/ui/admin/console-frame.server.tsx", "utf8").matchAll(/text: "(nav\.\w+)"/g)
  const [, section = ""] = readFileSync("docs/operating.md", "utf8").split("\n## What the console has\n")
  const rows = (section.split("\n## ")[0] ?? "").matchAll(/^\| (\w[^|]*) \|/gm)
  const named = [...rows].map(([, name]) => name).filter((name) => name !== "Page")
  expect(named).toEqual([...menu].map(([, text]) => consoleText(text as ConsoleText)))
})
