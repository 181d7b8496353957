import { type ReactNode, useContext } from "react"
import {
  isRouteErrorResponse,
  Outlet,
  Scripts,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from "react-router"
import type { Route } from "./+types/root"
import { DocumentContext, type PageHandle } from "./document"
import { DocumentHead } from "./document-head"
import { isProblem, type Problem } from "./domain/problem"
import { useTranslation } from "./locales/use-translation"
import { oneVisitor } from "./middleware/caching.server"
import { entryChoices } from "./middleware/entry-choices.server"
import { locale } from "./middleware/locale.server"
import { refusal } from "./middleware/refusal.server"
import { session } from "./middleware/session.server"
import { servicesContext } from "./services.server"
import { ErrorPage } from "./ui/error-page"
import { PageFrame } from "./ui/page-frame"
import { localPath, useLocale } from "./ui/use-locale"

export const middleware: Route.MiddlewareFunction[] = [oneVisitor, session, locale, refusal, entryChoices]

export function loader({ context }: Route.LoaderArgs) {
  const { name, testMode } = context.get(servicesContext).shop
  return { name, testMode }
}

/** The shop does not change while a visitor moves from page to page. */
export const shouldRevalidate = () => false

export function Layout({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const page = useContext(DocumentContext)
  const shop = useRouteLoaderData<typeof loader>("root") ?? page.shop
  const { pathname, search } = useLocation()
  const last = useMatches().at(-1)
  const handle = last?.handle as PageHandle | undefined
  const locale = useLocale()
  const path = pathname.slice(locale.prefix.length) || "/"

  return (
    <html lang={locale.iso}>
      <head>
        <DocumentHead
          title={`${t(handle?.title ?? "title.error")} · ${shop.name}`}
          publicPath={handle?.public ? path : null}
          refreshSeconds={refreshOf(last?.loaderData)}
        />
      </head>
      <body>
        <PageFrame shopName={shop.name} testMode={shop.testMode} path={path} query={search}>
          {children}
        </PageFrame>
        {page.handOver !== null && (
          <>
            <Scripts nonce={page.nonce} />
            <script
              nonce={page.nonce}
              suppressHydrationWarning
              // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, escaped where it is made
              dangerouslySetInnerHTML={{ __html: page.handOver }}
            />
          </>
        )}
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
  const { pathname } = useLocation()
  const kind = problemShown(error) ?? page.problem ?? "unexpected"
  return (
    <ErrorPage
      kind={kind}
      homePath={localPath(locale, "/")}
      retryPath={pathname}
      requestId={page.requestId}
    />
  )
}

function problemShown(error: unknown): Problem | null {
  if (!isRouteErrorResponse(error)) return null
  if (isProblem(error.data?.kind)) return error.data.kind
  return error.status === 404 ? "not-found" : null
}

/** A page that waits for something says so in its data; without script the browser itself looks again. */
function refreshOf(loaderData: unknown): number | null {
  if (typeof loaderData !== "object" || loaderData === null || !("refreshSeconds" in loaderData)) return null
  return typeof loaderData.refreshSeconds === "number" ? loaderData.refreshSeconds : null
}
