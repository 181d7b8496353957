import { type ReactNode, useContext, useEffect } from "react"
import {
  isRouteErrorResponse,
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from "react-router"
import type { Route } from "./+types/root"
import { BASE } from "./domain/base-path"
import { type ErrorKind, isErrorKind } from "./domain/error-kind"
import { localPath } from "./domain/locales"
import { type Interstitial, isInterstitial } from "./domain/orders/interstitial"
import { ACCOUNT, EMAIL_CHANGE_TOKEN, SIGN_IN_TOKEN } from "./domain/orders/screen-paths"
import { useLocale } from "./i18n/use-locale"
import { useTranslation } from "./i18n/use-translation"
import { matchedRoute } from "./middleware/matched-route.server"
import { DocumentContext, type PageHandle } from "./ssr/document"
import { DocumentHead, SearchTags } from "./ssr/document-head"
import { DocumentScripts, InlineScript } from "./ssr/document-scripts"
import { shopView } from "./ssr/shop-view.server"
import { EmailChangeScreen } from "./ui/interstitials/email-change-screen"
import { ErrorPage } from "./ui/interstitials/error-page"
import { ForgetScreen } from "./ui/interstitials/forget-screen"
import { FraudScreen } from "./ui/interstitials/fraud-screen"
import { NoServiceScreen } from "./ui/interstitials/no-service-screen"
import { ResumeScreen } from "./ui/interstitials/resume-screen"
import { SignInCodeScreen } from "./ui/interstitials/sign-in-code-screen"
import { SignInLinkScreen } from "./ui/interstitials/sign-in-link-screen"
import { SignInScreen } from "./ui/interstitials/sign-in-screen"
import { AccountMenu, DeviceLinks } from "./ui/layout/account-menu"
import type { MenuForm } from "./ui/layout/language-menu"
import { PageLayout } from "./ui/layout/page-layout"
import { reloadWhenOrderChanges } from "./ui/waiting/fetch-order-version"

export const middleware: Route.MiddlewareFunction[] = [matchedRoute]

export function loader({ context }: Route.LoaderArgs) {
  return shopView(context)
}

/**
 * The root's data changes with a POST, such as an order, and when a payment arrives, which leads to another page. Signing
 * in and out reloads the whole document.
 */
export const shouldRevalidate = ({ formMethod, currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) =>
  formMethod === "POST" || currentUrl.pathname !== nextUrl.pathname

export function Layout({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const page = useContext(DocumentContext)
  const shop = useRouteLoaderData<typeof loader>("root") ?? page.shop
  const { pathname, search } = useLocation()
  const last = useMatches().at(-1)
  const error = useRouteError()
  const { isOfflinePage = false, ...handle } = pageOf(last?.handle, error)
  const around = aroundOf(last, { title: t(handle.title), error })
  const locale = useLocale()
  const path = pathname.slice(locale.prefix.length) || "/"
  const menuPath = accountMenuPath(path, error)
  const signsIn = asksToSignIn(error)
  const { ownsService } = shop
  const title = `${around.title} · ${shop.title}`

  return (
    <html lang={locale.iso}>
      <head>
        <DocumentHead title={title} shop={shop} locale={locale} refreshSeconds={around.refreshSeconds}>
          {import.meta.env.SSR && <SearchTags title={title} handle={handle} shop={shop} locale={locale} />}
        </DocumentHead>
      </head>
      <body>
        <PageLayout
          shopName={shop.name}
          testMode={shop.testMode}
          shopTime={shop.shopTime}
          logo={shop.logo}
          query={withoutProof(search)}
          path={isOfflinePage ? null : path}
          form={around.form}
          passwordEnded={shop.passwordEnded}
          account={
            !isOfflinePage && (
              <AccountMenu email={shop.account} ownsService={ownsService} path={menuPath} signsIn={signsIn} />
            )
          }
          footer={shop.footer}
          hasResellerPlans={around.hasResellerPlans}
          deviceLinks={
            !isOfflinePage &&
            shop.remembers && <DeviceLinks ownsService={ownsService} path={menuPath} signsIn={signsIn} />
          }
        >
          {children}
        </PageLayout>
        <DocumentScripts isOfflinePage={isOfflinePage} />
      </body>
    </html>
  )
}

export default function App() {
  return <Outlet />
}

export function ErrorBoundary() {
  const error = useRouteError()
  const page = useContext(DocumentContext)
  const locale = useLocale()
  const { pathname, search } = useLocation()
  const screen = screenIn(error)
  if (screen)
    return import.meta.env.SSR ? (
      <ScreenInPlace screen={screen} pathname={pathname} search={search} />
    ) : (
      <LoadDocument />
    )
  const kind = errorShown(error) ?? page.errorKind ?? "unexpected"
  return (
    <ErrorPage
      kind={kind}
      homePath={localPath(locale, "/")}
      retryPath={pathname}
      retryNote={page.retryNote}
      requestId={page.requestId}
    />
  )
}

const titleOf = {
  "sign-in": "scriptless.signIn",
  "sign-in-code": "scriptless.signInCode",
  "sign-in-link": "scriptless.signIn",
  "email-change": "title.success",
  "no-service": "title.success",
  fraud: "scriptless.fraud",
  forget: "scriptless.forget",
  resume: "scriptless.resume",
} as const satisfies Record<Interstitial["kind"], PageHandle["title"]>

/** Settings of the page; an error page must not be indexed or shared. */
function pageOf(handle: unknown, error: unknown): PageHandle {
  const screen = screenIn(error)
  // In the browser the document is about to be loaded, with the title of its screen.
  if (screen) return { title: import.meta.env.SSR ? titleOf[screen.kind] : "title.checkout", public: false }
  if (errorShown(error) === "not-found") return { title: "title.notFound", public: false }
  return error || !handle ? { title: "title.error", public: false } : (handle as PageHandle)
}

/** Removes sign-in and resume tokens from the links that the page renders. */
function withoutProof(search: string): string {
  const query = new URLSearchParams(search)
  if (!query.has("email") && !query.has("signature")) return search
  for (const name of ["email", "expires", "signature"]) query.delete(name)
  return query.size > 0 ? `?${query}` : ""
}

/** The interstitial that a guard threw; null for an error. */
function screenIn(error: unknown): Interstitial | null {
  return isRouteErrorResponse(error) && isInterstitial(error.data) ? error.data : null
}

/**
 * The page at which the account menu signs in and out: at an address without a page it would lead to the not-found page again. Such a
 * page comes from the server.
 */
const accountMenuPath = (path: string, error: unknown) =>
  import.meta.env.SSR && errorShown(error) === "not-found" ? "/" : path

/** Only the server renders interstitials. */
const asksToSignIn = (error: unknown) => import.meta.env.SSR && screenIn(error)?.kind.startsWith("sign-in")

/**
 * Interstitials are pages without script. A client navigation that meets one loads the page from the server, so their code
 * is not in the browser's files.
 */
function LoadDocument() {
  useEffect(() => location.reload(), [])
  return null
}

/** Interstitial forms post to the current URL, with only their own query parameters and the resume token. */
function ScreenInPlace({
  screen,
  pathname,
  search,
}: {
  screen: Interstitial
  pathname: string
  search: string
}) {
  const { support, mailSender } = useContext(DocumentContext)
  const hasMail = mailSender !== null
  const page = `${BASE}${pathname}`
  const query = new URLSearchParams(search)
  if (screen.kind === "fraud")
    return (
      <>
        <FraudScreen {...screen} support={support} />
        {!screen.refused && <InlineScript text={reloadWhenOrderChanges} />}
      </>
    )
  if (screen.kind === "forget")
    return <ForgetScreen action={`${page}?forget`} cancelHref={page} hasMail={hasMail} />
  if (screen.kind === "resume") {
    const action = `${page}?${query.has("returned") ? "returned&" : ""}${parameters(query, "resume")}`
    return <ResumeScreen {...screen} action={action} cancelHref={page} />
  }
  if (screen.kind === "no-service") return <NoServiceScreen email={screen.email} note={screen.note} />
  return <SignInInPlace screen={screen} page={page} query={query} />
}

type LinkInterstitial = Extract<Interstitial, { kind: "sign-in-link" | "email-change" }>

/** The page of a signed link: its button posts the token. */
function LinkInPlace({
  screen,
  page,
  query,
}: {
  screen: LinkInterstitial
  page: string
  query: URLSearchParams
}) {
  if (screen.kind === "sign-in-link")
    return <SignInLinkScreen email={screen.email} action={`${page}?${parameters(query, SIGN_IN_TOKEN)}`} />
  const { heading, lead, action: submit, signIn } = screen
  return (
    <EmailChangeScreen
      heading={heading}
      lead={lead}
      submit={submit}
      action={`${page}?${parameters(query, EMAIL_CHANGE_TOKEN)}`}
      signIn={signIn === null ? null : { text: signIn, href: `${page}?signin` }}
    />
  )
}

type SignInInterstitial = Extract<Interstitial, { kind: "sign-in" | "sign-in-code" }> | LinkInterstitial

/** The forms keep what the page was opened for: an order, or the way back from a gateway. */
function SignInInPlace({
  screen,
  page,
  query,
}: {
  screen: SignInInterstitial
  page: string
  query: URLSearchParams
}) {
  const { support, mailSender } = useContext(DocumentContext)
  if (screen.kind === "sign-in-link" || screen.kind === "email-change")
    return <LinkInPlace screen={screen} page={page} query={query} />
  if (screen.kind === "sign-in-code") {
    const { kind, ...shown } = screen
    const sender = mailSender ?? ""
    return <SignInCodeScreen {...shown} sender={sender} support={support} action={`${page}?signin`} />
  }
  const { kind, ...shown } = screen
  const purpose = parameters(query, "resume", "order", ACCOUNT)
  const action = `${page}?signin${purpose && `&${purpose}`}`
  return <SignInScreen {...shown} hasMail={mailSender !== null} action={action} />
}

/** The named parameters of a query, in this order, as far as it has them. */
function parameters(query: URLSearchParams, ...names: readonly string[]): string {
  const kept = new URLSearchParams()
  for (const name of names) if (query.has(name)) kept.set(name, query.get(name) ?? "")
  return kept.toString()
}

function errorShown(error: unknown): ErrorKind | null {
  if (!isRouteErrorResponse(error)) return null
  if (isErrorKind(error.data?.kind)) return error.data.kind
  // Under overload the server sends only the error kind.
  if (isErrorKind(error.data)) return error.data
  return error.status === 404 ? "not-found" : null
}

/** What a page's loader may say for the document around the page. */
type Around = {
  /** In the visitor's language. */
  readonly title: string
  /** Reload interval for browsers without script. */
  readonly refreshSeconds: number | null
  /** Not of a page that has no such form, or nothing to offer in it. */
  readonly form?: MenuForm | null | undefined
  /** Reseller plans are sold. */
  readonly hasResellerPlans?: boolean
}

/**
 * `title`: the route's, for a page that has none of its own. An error page has nothing of the page in whose place it is.
 */
function aroundOf(
  last: { loaderData: unknown; handle: unknown } | undefined,
  { title, error }: { title: string; error: unknown },
): Around {
  if (error || !last) return { title, refreshSeconds: null }
  const own = last.loaderData as (Partial<Around> & { offer?: MenuForm | null }) | undefined
  const form = (last.handle as PageHandle | undefined)?.hasOrderForm ? own?.offer : null
  return { title, refreshSeconds: null, form, ...own }
}
