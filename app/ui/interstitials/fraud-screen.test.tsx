import { expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { FraudScreen } from "./fraud-screen"

const held = {
  reference: "7K3QWZ9MTB",
  support: "mailto:help@example.test",
  refused: false,
  note: "You can close this page. We’ll email you.",
  refreshSeconds: 15,
  reloads: null,
}

test("shows that nothing was charged and the order, by the word of all pages, without mentioning fraud", async () => {
  const text = textOf(await rendered(<FraudScreen {...held} />))
  expect(text).toContain("Nothing has been charged.")
  expect(text).toContain("Order 7K3QWZ9MTB")
  expect(text).toContain("We’ll email you.")
  expect(text).not.toMatch(/fraud|suspicious|block/i)
  // The button to support says it.
  expect(text).not.toContain("get in touch")
})

test("links to support and back to the plans", async () => {
  const links = elements(await rendered(<FraudScreen {...held} />, "pt-pt"), ({ tagName }) => tagName === "a")
  expect(links.map((it) => [attribute(it, "href"), textOf(it)])).toEqual([
    ["mailto:help@example.test", "Contactar o apoio"],
    ["/pt-pt", "Voltar aos planos"],
  ])
})

test("mentions no contact without a support address", async () => {
  const document = await rendered(<FraudScreen {...held} reference={null} support={null} />)
  expect(textOf(document)).not.toMatch(/touch|contact|message|reference/i)
  expect(elements(document, ({ tagName }) => tagName === "a").map(textOf)).toEqual(["Back to plans"])
})

test("refreshes the page until the order is refused", async () => {
  const refresh = async (refused: boolean) =>
    elements(
      await rendered(<FraudScreen {...held} refused={refused} />),
      (it) => attribute(it, "http-equiv") === "refresh",
    ).map((it) => attribute(it, "content"))
  expect(await refresh(false)).toEqual(["15"])
  expect(await refresh(true)).toEqual([])
})

test("says that it updates by itself only while it does", async () => {
  const said = async (refreshSeconds: number | null) =>
    textOf(await rendered(<FraudScreen {...held} refreshSeconds={refreshSeconds} />)).includes("by itself")
  expect([await said(15), await said(null)]).toEqual([true, false])
})

test("shows for a refused order that nothing is due and how to contact support", async () => {
  const text = textOf(await rendered(<FraudScreen {...held} refused />))
  expect(text).toContain("There is nothing to pay for it.")
  expect(text).toContain("If you think this is a mistake, get in touch with us.")
})
