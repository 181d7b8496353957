import { expect, test } from "vitest"
import { renderedOnce } from "./rendered-pages.server"

const page = (nonce: string) => `<style nonce="${nonce}"></style><script nonce="${nonce}"></script>`

test("the same state is rendered once, and every visitor gets a nonce of his own", () => {
  let rendered = 0
  const render = (nonce: string) => {
    rendered++
    return page(nonce)
  }
  expect(renderedOnce({ state: "plans in English", nonce: "first", render })).toBe(page("first"))
  expect(renderedOnce({ state: "plans in English", nonce: "second", render })).toBe(page("second"))
  expect(rendered).toBe(1)
})

test("another state is another page", () => {
  const said = (words: string) => renderedOnce({ state: words, nonce: "n", render: () => words })
  expect([said("79,00 €"), said("89,00 €")]).toEqual(["79,00 €", "89,00 €"])
})
