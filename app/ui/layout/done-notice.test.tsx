import { expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { DoneNotice } from "./done-notice"

test.each([
  [null, ""],
  ["Saved.", "Saved."],
])("the live region is there whether or not something has been done (%s)", async (text, shown) => {
  const page = await rendered(<DoneNotice text={text} />)
  const regions = elements(page, (it) => attribute(it, "role") === "status")
  expect(regions.map(textOf)).toEqual([shown])
})
