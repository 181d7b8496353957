import type { Version, Versions } from "~/billing/versions"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { mayDo, type OperatorRole, operatorShownTo } from "~/domain/operators/operator"
import { versionNumberIn } from "~/domain/version-number"
import { newFormKey } from "~/flows/admin/form-key.server"
import { contentOfVersion, type VersionHistory } from "~/flows/admin/version-history.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { consoleHref } from "~/ui/admin/console-frame.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import type { Versioned } from "~/ui/admin/version-list.server"
import { VersionScreen } from "~/ui/admin/version-screen.server"
import { proofAsked } from "./action-notice.server"

const PER_PAGE = 20

/** Versions as a page lists them, those before the number `before` of its query, with links to the other pages. */
export async function versionsShown(
  context: RouteContext,
  { subject, source, query }: { subject: Versioned; source: Versions<object>; query: URLSearchParams },
) {
  const { session } = consoleRequest(context)
  const typed = Number(query.get("before") ?? Number.NaN)
  const before = Number.isSafeInteger(typed) ? typed : undefined
  const found = await source.versions({ before, limit: PER_PAGE + 1 })
  const listed = found.slice(0, PER_PAGE)
  const last = found.length > PER_PAGE ? listed.at(-1) : undefined
  const path = `/admin/${subject}`
  return {
    versions: listed.map((it) => withAuthorShownTo(session.role, it)),
    links: {
      older: last ? consoleHref(`${path}?before=${last.number}`) : null,
      newer: null,
      newest: before === undefined ? null : consoleHref(path),
    },
  }
}

function withAuthorShownTo(role: OperatorRole, version: Version): Version {
  const { author } = version
  return { ...version, author: author === null ? null : operatorShownTo(role, author) }
}

/** The version that an address names. Throws 404 for an unknown one. */
export async function versionNamed<Content extends object>(versions: Versions<Content>, typed: string) {
  const number = versionNumberIn(typed)
  const version = number === null ? null : await versions.version(number)
  if (!version) throw new Response(null, { status: 404 })
  return version
}

type Page<Content extends object> = {
  readonly subject: Versioned
  readonly history: VersionHistory<Content>
  readonly present: Content & { readonly latest: number }
}

type Shown = {
  /** As it is in the address. */
  readonly number: string
  /** The number to compare with, as it was typed. Null: the one before. */
  readonly compared: string | null
  readonly notice: ActionNotice | null
  /** The form that takes it back, if it was refused. */
  readonly refused: { readonly reason: string } | null
}

/** A version: who has made it and why, how it differs from another one, and what taking it back would change. */
export async function versionPage<Content extends object>(
  context: RouteContext,
  { subject, history, present }: Page<Content>,
  { number, compared: typed, refused, ...shown }: Shown,
): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const version = await versionNamed(history.versions, number)
  const compared = await comparedWith(typed, history, version)
  const unknown: ActionNotice = { kind: "bad", text: t(`${subject}.problems.unknown-version`) }
  const notice = compared.isUnknown ? unknown : shown.notice
  return consolePage(
    context,
    {
      title: t("versions.one", { number: version.number }),
      path: `/admin/${subject}`,
      notice,
    },
    <VersionScreen
      subject={subject}
      version={withAuthorShownTo(session.role, version)}
      compared={compared.shown}
      undoing={history.changes(present, version)}
      mayTakeBack={mayDo(session.role, `take-back-${subject}`)}
      seen={String(present.latest)}
      formKey={newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      refused={refused}
      timeZone={services.shop.timeZone}
    />,
  )
}

/**
 * How a version differs from the one whose number was typed or, without it, from the one before. `shown`: null where there is
 * none, as for the first version.
 */
async function comparedWith<Content extends object>(
  typed: string | null,
  history: VersionHistory<Content>,
  version: Version & Content,
) {
  const wanted = typed === "0" ? 0 : versionNumberIn(typed ?? "")
  const other = wanted === null ? null : await contentOfVersion(history, wanted)
  const number = other && wanted !== null ? wanted : version.number - 1
  const content = other ?? (await contentOfVersion(history, number))
  const shown = content && { number, changes: history.changes(content, version) }
  return { shown, isUnknown: wanted !== null && other === null }
}
