import { BASE } from "~/domain/base-path"
import type { ErrorKind } from "~/domain/error-kind"
import { useTranslation } from "~/i18n/use-translation"
import { SupportLink, useSupport } from "../layout/support-link"

type Failed = {
  kind: ErrorKind
  homePath: string
  retryPath: string
  /** What is safe, and when to try again; absent: later. */
  retryNote?: string | null
  requestId: string | null
}

/** Error kinds for which trying again may help. */
const passing: readonly ErrorKind[] = ["unavailable", "unreadable", "unexpected", "crowded"]

/** Error page: what happened, what it means for the order, and where to go. Without technical details. */
export function ErrorPage({ kind, homePath, retryPath, retryNote, requestId }: Failed) {
  const { t } = useTranslation()
  const support = useSupport()
  const retry = passing.includes(kind)
  return (
    <section className="card narrow refused">
      <h1>{t(`error.${kind}`)}</h1>
      {retry && <p className="lead">{retryNote ?? t("error.kept")}</p>}
      {import.meta.env.SSR && hasLead(kind) && <p className="lead">{t(`error.lead.${kind}`)}</p>}
      {retry && (
        <a className="main button" href={`${BASE}${retryPath}`}>
          {t("error.retry")}
        </a>
      )}
      <a className={retry ? "quiet" : "main button"} href={`${BASE}${homePath}`}>
        {t("error.home")}
      </a>
      {isMissing(kind) && <SignInLink homePath={homePath} />}
      {retry && requestId && (
        <p className="note">
          {t(support === null ? "error.id" : "error.reference", { id: requestId })} <SupportLink />
        </p>
      )}
    </section>
  )
}

/**
 * Error kinds whose page says what to do next, where the server writes it: the browser's files have no room for what it says more
 * then.
 */
const withLead = ["not-found", "forbidden-origin", "too-large"] as const

const hasLead = (kind: ErrorKind): kind is (typeof withLead)[number] => withLead.some((it) => it === kind)

const isMissing = (kind: ErrorKind) => import.meta.env.SSR && kind === "not-found"

function SignInLink({ homePath }: Pick<Failed, "homePath">) {
  const { t } = useTranslation()
  return (
    <a className="quiet" href={`${BASE}${homePath}?signin`}>
      {t("frame.signIn")}
    </a>
  )
}
