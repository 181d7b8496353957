import type { ReactNode } from "react"
import { BASE } from "~/domain/base-path"
import type { OperatorRole } from "~/domain/operator"
import { type ConsoleText, consoleText as t } from "~/i18n/console-texts.server"
import { Logo } from "~/ui/layout/icons"

/** Pages in the menu, in its order. */
const pages: readonly (readonly [path: string, text: ConsoleText])[] = [
  ["/admin", "nav.overview"],
  ["/admin/orders", "nav.orders"],
  ["/admin/customers", "nav.customers"],
  ["/admin/services", "nav.services"],
  ["/admin/bulk", "nav.bulk"],
  ["/admin/first-day", "nav.firstDay"],
  ["/admin/operators", "nav.operators"],
  ["/admin/account", "nav.account"],
  ["/admin/audit", "nav.audit"],
]

/** Address of a page of the console. */
export function consoleHref(path: string): string {
  return `${BASE}${path}`
}

export type FrameOperator = { readonly email: string; readonly role: OperatorRole }

type FrameProps = {
  shopName: string
  /** Null on the pages before the sign-in. */
  operator: FrameOperator | null
  /** Path of the page, which its link in the menu marks. */
  path: string
  children: ReactNode
}

/** Header, menu and content of every page of the console. */
export function ConsoleFrame({ shopName, operator, path, children }: FrameProps) {
  return (
    <div className="frame">
      <a className="skip" href="#content">
        {t("frame.skip")}
      </a>
      <header className="bar">
        <a className="name" href={consoleHref("/admin")}>
          <Logo />
          {shopName} <span>{t("frame.console")}</span>
        </a>
        {operator && <SignedIn operator={operator} path={path} />}
      </header>
      <div className="body">
        {operator && (
          <nav className="side">
            <Pages path={path} />
          </nav>
        )}
        <main id="content" className={operator ? undefined : "narrow"}>
          {children}
        </main>
      </div>
    </div>
  )
}

/** On a phone the menu is folded; it opens without script. */
function SignedIn({ operator, path }: { operator: FrameOperator; path: string }) {
  return (
    <>
      <Who operator={operator} />
      <details className="menu">
        <summary>{t("frame.menu")}</summary>
        <div>
          <nav>
            <Pages path={path} />
          </nav>
          <Who operator={operator} />
        </div>
      </details>
    </>
  )
}

function Who({ operator }: { operator: FrameOperator }) {
  return (
    <div className="who">
      <span>
        {operator.email}, {t(`frame.roles.${operator.role}`)}
      </span>
      <form method="post" action={consoleHref("/admin/sign-out")}>
        <button className="button" type="submit">
          {t("frame.signOut")}
        </button>
      </form>
    </div>
  )
}

function Pages({ path }: { path: string }) {
  return (
    <ul>
      {pages.map(([target, text]) => (
        <li key={target}>
          <a href={consoleHref(target)} aria-current={target === path ? "page" : undefined}>
            {t(text)}
          </a>
        </li>
      ))}
    </ul>
  )
}
