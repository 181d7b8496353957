import { expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { elements, textOf } from "../../../tests/support/html/html-tree"
import { AddressText } from "./address-text"

test.each([
  ["Email: ana.maria@mail.example.test", 4],
  ["This order is for ana@example.test.", 2],
  ["No address.", 0],
])("a text may break before the parts of an address and nowhere else: %s", async (text, breaks) => {
  const document = await rendered(
    <p>
      <AddressText text={text} />
    </p>,
  )
  expect([textOf(document), elements(document, ({ tagName }) => tagName === "wbr").length]).toEqual([
    text,
    breaks,
  ])
})
