import { expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { FraudScreen } from "./fraud-screen"

const held = { reference: "7K3QWZ9MTB", support: "mailto:help@example.test" }

test("says that nothing has been charged, gives a reference, and accuses nobody", async () => {
  const text = textOf(await rendered(<FraudScreen {...held} />))
  expect(text).toContain("Nothing has been charged.")
  expect(text).toContain("7K3QWZ9MTB")
  expect(text).not.toMatch(/fraud|suspicious|block/i)
})

test("leads to whoever can help, and back to the plans", async () => {
  const links = elements(await rendered(<FraudScreen {...held} />, "pt-pt"), ({ tagName }) => tagName === "a")
  expect(links.map((it) => [attribute(it, "href"), textOf(it)])).toEqual([
    ["mailto:help@example.test", "Contactar o apoio"],
    ["/pt-pt", "Voltar aos planos"],
  ])
})

test("says how to get in touch where the shop names no address", async () => {
  const document = await rendered(<FraudScreen reference={null} support={null} />)
  expect(textOf(document)).toContain("Contact the shop, or answer any message about your plan")
  expect(textOf(document)).not.toContain("reference")
  expect(elements(document, ({ tagName }) => tagName === "a").map(textOf)).toEqual(["Back to the plans"])
})
