import { expect } from "playwright/test"
import { overflowsOn } from "../../support/browser/text-overflow"
import { test } from "../shop-test"

test("finds a word wider than its box, a page wider than its viewport and an element outside of it", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await page.setContent('<p style="width: 80px">Wiederverkäuferkonto</p>')
  expect(await overflowsOn(page)).toEqual(["Wiederverkäuferkonto"])
  await page.setContent('<div style="width: 400px; height: 1px"></div><p>Kurz</p>')
  expect(await overflowsOn(page)).toEqual([expect.stringContaining("px wide")])
  await page.setContent('<select class="coin" style="margin-left: -40px"><option>Here</option></select>')
  expect(await overflowsOn(page)).toEqual(["coin is outside"])
})
