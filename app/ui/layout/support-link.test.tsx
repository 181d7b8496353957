import type { ReactNode } from "react"
import { describe, expect, test } from "vitest"
import type { Footer } from "~/domain/shop/legal"
import { rendered } from "../../../tests/fixtures/render-screen"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { ErrorPage } from "../interstitials/error-page"
import { ForgetScreen } from "../interstitials/forget-screen"
import { SignInScreen } from "../interstitials/sign-in-screen"
import { NotesForm } from "../success/service-notes"
import { OrderEmail } from "../waiting/order-email"
import { PageLayout } from "./page-layout"

const MAIL = "mailto:help@tv.example?subject=Help"

/** Pages that say what support can do, on a shop without mail. */
const screens: Record<string, ReactNode> = {
  "the sign-in by password": (
    <SignInScreen
      reason="old-link"
      email=""
      form="password"
      lastResult={null}
      retryAfterSeconds={0}
      returned={null}
      hasMail={false}
      action="?signin"
    />
  ),
  "the question whether to forget a device": <ForgetScreen action="?forget" cancelHref="?" hasMail={false} />,
  "an error that may come again": (
    <ErrorPage kind="unavailable" homePath="/" retryPath="/waiting" requestId="request-1" />
  ),
  "an e-mail that cannot be corrected any more": (
    <OrderEmail
      shown={{ email: "ana@example.test", isCorrectable: true, isUnreachable: false, isOpen: true }}
      lastResult={{ initialValue: { intent: "email" }, error: { email: ["orderEmail.refused"] } }}
    />
  ),
}

async function pageOf(screen: ReactNode, support: string | null) {
  const links: Footer["links"] = support === null ? [] : [{ page: "support", href: support }]
  const document = await rendered(
    <PageLayout shopName="Shop" testMode={false} path="/" query="" footer={{ seller: null, links }}>
      {screen}
    </PageLayout>,
  )
  const [main] = elements(document, ({ tagName }) => tagName === "main")
  if (!main) throw new Error("The page has no main part")
  return main
}

describe.each(Object.entries(screens))("%s", (_, screen) => {
  test("has the way to support in place", async () => {
    const main = await pageOf(screen, MAIL)
    const links = elements(main, (it) => attribute(it, "href") === MAIL)
    expect(links.map(textOf)).toEqual(["Contact support: help@tv.example"])
  })

  test("promises no support where none is configured", async () => {
    const main = await pageOf(screen, null)
    expect(textOf(main)).not.toMatch(/support|tell us/i)
    expect(elements(main, ({ tagName }) => tagName === "h1" || tagName === "form").length).toBeGreaterThan(0)
  })
})

test("notes are for support only where there is any", async () => {
  const notes = <NotesForm service={{ id: "s1", notes: "" }} lastResult={null} />
  expect(textOf(await pageOf(notes, MAIL))).toContain("for support when you ask")
  expect(textOf(await pageOf(notes, null))).not.toContain("support")
})
