import { expect, test } from "vitest"
import { deferScripts } from "./defer-scripts.server"

const page =
  '<html><head><link rel="modulepreload" href="/a.js"/></head><body><p>Plans</p>' +
  '<script nonce="n1" type="module" async="">import "/a.js"</script></body></html>'

test("defers the page's scripts until the first paint, with their nonce", () => {
  const html = deferScripts(page, { nonce: "n2", loadsFonts: false, laterStyle: null })
  expect(html).not.toMatch(/modulepreload" href| type="module"/)
  expect(html).toContain('<script nonce="n1" type="later">import "/a.js"</script>')
})

test("links to the scripts after what is visible, with the page's first bytes for its markup", () => {
  const html = deferScripts(page, { nonce: "n2", loadsFonts: false, laterStyle: null })
  const [visible = "", rest = ""] = html.split("<p>Plans</p>")
  expect(visible).toBe("<html><head></head><body>")
  expect(rest).toMatch(
    /<link rel="later" href="\/a\.js"\/><script nonce="n2">\{(?:(?!<\/).)*<\/script><\/body><\/html>$/s,
  )
})

test("defers web fonts until the first paint, and loads them immediately without script", () => {
  const html = deferScripts(page, { nonce: "n2", loadsFonts: true, laterStyle: null })
  const [head = "", body = ""] = html.split("</head>")
  expect(head).toMatch(/<noscript><style nonce="n2">(@font-face\{[^}]+\}){6}<\/style><\/noscript>$/)
  expect(head.replace(/<noscript>.*<\/noscript>/s, "")).not.toContain("woff2")
  expect(body).toContain("new FontFace")
})

test("adds the style of later screens after the first paint, where a page lacks it", () => {
  const html = deferScripts(page, { nonce: "n2", loadsFonts: true, laterStyle: "/later.css" })
  const [head = "", body = ""] = html.split("</head>")
  expect(head).not.toContain("later.css")
  expect(body).toContain('{rel:"stylesheet",href:"/later.css",')
  expect(body).toContain('<noscript><link rel="stylesheet" href="/later.css"/></noscript>')
  expect(deferScripts(page, { nonce: "n2", loadsFonts: true, laterStyle: null })).not.toContain("stylesheet")
})

test("adds no script to a page without script", () => {
  const plain = "<html><body><p>Plans</p></body></html>"
  expect(deferScripts(plain, { nonce: "n2", loadsFonts: true, laterStyle: null })).toBe(plain)
})
