import { Fragment, type ReactNode } from "react"
import { BASE } from "~/domain/base-path"
import type { OperatorRole } from "~/domain/operators/operator"
import { type ConsoleText, consoleText as t } from "~/i18n/console-texts.server"
import { Logo } from "~/ui/layout/icons"

type MenuPage = { readonly path: string; readonly text: ConsoleText; readonly key?: string }

/** Pages in the menu, by what they are for. `key`: leads there after "g" (app/client/console/shortcuts.ts). */
const groups: readonly { readonly name: ConsoleText; readonly pages: readonly MenuPage[] }[] = [
  {
    name: "nav.groups.daily",
    pages: [
      { path: "/admin", text: "nav.overview", key: "h" },
      { path: "/admin/orders", text: "nav.orders", key: "o" },
      { path: "/admin/customers", text: "nav.customers", key: "c" },
      { path: "/admin/services", text: "nav.services", key: "s" },
      { path: "/admin/bulk", text: "nav.bulk", key: "b" },
      { path: "/admin/blocks", text: "nav.blocks" },
    ],
  },
  {
    name: "nav.groups.offer",
    pages: [
      { path: "/admin/catalogue", text: "nav.catalogue" },
      { path: "/admin/promotions", text: "nav.promotions" },
      { path: "/admin/brand", text: "nav.brand" },
      { path: "/admin/resellers", text: "nav.resellers" },
      { path: "/admin/affiliates", text: "nav.affiliates" },
    ],
  },
  {
    name: "nav.groups.money",
    pages: [
      { path: "/admin/gateways", text: "nav.gateways" },
      { path: "/admin/unmatched-payments", text: "nav.unmatched" },
      { path: "/admin/rejected-callbacks", text: "nav.rejected" },
      { path: "/admin/accounting", text: "nav.accounting" },
      { path: "/admin/tax", text: "nav.tax" },
    ],
  },
  {
    name: "nav.groups.technology",
    pages: [
      { path: "/admin/mail", text: "nav.mail" },
      { path: "/admin/jobs", text: "nav.jobs" },
      { path: "/admin/webhooks", text: "nav.webhooks" },
      { path: "/admin/backups", text: "nav.backups" },
    ],
  },
  {
    name: "nav.groups.setUp",
    pages: [
      { path: "/admin/first-day", text: "nav.firstDay" },
      { path: "/admin/settings", text: "nav.settings" },
      { path: "/admin/operators", text: "nav.operators" },
      { path: "/admin/account", text: "nav.account" },
      { path: "/admin/audit", text: "nav.audit", key: "a" },
    ],
  },
]
const pages = groups.flatMap((group) => group.pages)

const otherKeys: readonly { readonly key: string; readonly text: ConsoleText }[] = [
  { key: "/", text: "shortcuts.search" },
  { key: "n", text: "list.older" },
  { key: "p", text: "list.newer" },
  { key: "?", text: "shortcuts.title" },
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
  timeZone: string
  children: ReactNode
}

/** Header, menu and content of every page of the console. */
export function ConsoleFrame({ shopName, operator, path, timeZone, children }: FrameProps) {
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
            {/* Script shows it. */}
            <button className="button shortcuts" type="button" hidden>
              {t("shortcuts.title")}
            </button>
          </nav>
        )}
        <main id="content" className={operator ? undefined : "narrow"}>
          {children}
        </main>
      </div>
      {operator && (
        <>
          <footer>{t("frame.zone", { zone: timeZone })}</footer>
          <p className="hidden" aria-live="polite" data-announcer />
          <Shortcuts />
        </>
      )}
    </div>
  )
}

/** The shortcuts of the keyboard. Only script opens it. */
function Shortcuts() {
  return (
    <dialog className="card shortcuts" aria-labelledby="shortcuts">
      <h2 id="shortcuts">{t("shortcuts.title")}</h2>
      <dl>
        {pages.map(({ path, text, key }) => key && <Shortcut key={path} keys={["g", key]} text={text} />)}
        {otherKeys.map(({ key, text }) => (
          <Shortcut key={key} keys={[key]} text={text} />
        ))}
      </dl>
      <label className="check">
        <input type="checkbox" defaultChecked /> {t("shortcuts.use")}
      </label>
      <form method="dialog">
        <button className="button" type="submit">
          {t("shortcuts.close")}
        </button>
      </form>
    </dialog>
  )
}

function Shortcut({ keys, text }: { keys: readonly string[]; text: ConsoleText }) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{t(text)}</dd>
    </div>
  )
}

/** On a phone the menu is folded; it opens without script. */
function SignedIn({ operator, path }: { operator: FrameOperator; path: string }) {
  return (
    <>
      <Find />
      <Who operator={operator} />
      <details className="menu">
        <summary>{t("frame.menu")}</summary>
        <div>
          <Find />
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
  return groups.map(({ name, pages: targets }) => (
    <Fragment key={name}>
      <p>{t(name)}</p>
      <ul aria-label={t(name)}>
        {targets.map(({ path: target, text, key }) => (
          <li key={target}>
            <a href={consoleHref(target)} aria-current={target === path ? "page" : undefined} data-key={key}>
              {t(text)}
            </a>
          </li>
        ))}
      </ul>
    </Fragment>
  ))
}

/** The search for orders, from every page. */
function Find() {
  return (
    <search>
      <form method="get" action={consoleHref("/admin/orders")} className="find">
        <input
          name="q"
          type="search"
          aria-label={t("frame.find")}
          placeholder={t("frame.findHint")}
          spellCheck={false}
          autoCapitalize="none"
          maxLength={200}
        />
      </form>
    </search>
  )
}
