import { expect, test } from "vitest"
import { scriptAfterPaint } from "./script-after-paint.server"

const page =
  '<html><head><link rel="modulepreload" href="/a.js"/></head><body><p>Plans</p>' +
  '<script nonce="n1" type="module" async="">import "/a.js"</script></body></html>'

test("a page's script waits until the page has been painted, with the nonce that lets it run", () => {
  const html = scriptAfterPaint(page, "n2")
  expect(html).not.toMatch(/modulepreload" href| type="module"/)
  expect(html).toContain('<link rel="later" href="/a.js"/>')
  expect(html).toContain('<script nonce="n1" type="later">import "/a.js"</script><script nonce="n2">')
})

test("a page without script gets none", () => {
  const plain = "<html><body><p>Plans</p></body></html>"
  expect(scriptAfterPaint(plain, "n2")).toBe(plain)
})
