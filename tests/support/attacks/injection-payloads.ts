import { createHash } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import { attribute, type Element, elements, readHtml } from "../html/html-tree"

/** HTML and SQL that would be executed. Without spaces, so that they pass as email addresses. */
export const payloads = [
  '"><img/src=x/onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  "</script><script>alert(1)</script>",
  "</title></textarea></style><script>alert(1)//",
  "{{constructor.constructor('alert(1)')()}}",
  "javascript:alert(1)",
  "<!--<script>",
  "\u2028</script\u2029",
  "';DROP/**/TABLE/**/orders;--",
  "'OR'1'='1",
  '");DELETE/**/FROM/**/clients;--',
  "1;UPDATE/**/orders/**/SET/**/status='paid'",
  "%27%3B%00",
  "#{7*7}<%=7*7%>",
]

/** A page with its Content-Security-Policy. */
type Page = { readonly body: string; readonly headers?: Headers | IncomingHttpHeaders }

/**
 * Returns content that would be executed or leads to such content; the shop's own scripts carry the nonce or are
 * allowed by hash.
 */
export function running({ body, headers }: Page): string | null {
  const policy = String(
    headers instanceof Headers
      ? headers.get("content-security-policy")
      : headers?.["content-security-policy"],
  )
  const dangerous = elements(readHtml(body), (it) => isDangerous(it, policy))
  return dangerous.length > 0 ? `<${dangerous[0]?.tagName}> would run` : null
}

function isDangerous(element: Element, policy: string): boolean {
  if (element.tagName === "script") return !attribute(element, "nonce") && !isAllowed(element, policy)
  if (element.attrs.some(({ name }) => /^on|^srcdoc$/.test(name))) return true
  // A fragment sends the form to the page's own address.
  if (element.attrs.some(({ name, value }) => name === "formaction" && !value.startsWith("#"))) return true
  return ["href", "src", "action"].some((name) =>
    /^\s*(javascript|data|vbscript):/i.test(attribute(element, name) ?? ""),
  )
}

function isAllowed(script: Element, policy: string): boolean {
  const text = script.childNodes.map((it) => ("value" in it ? it.value : "")).join("")
  const hash = createHash("sha256").update(text).digest("base64")
  return policy.includes(`'sha256-${hash}'`)
}
