import { BASE } from "~/domain/base-path"
import { localPath } from "~/domain/locales"
import { ownServicesPath, showsService } from "~/domain/orders/screen-paths"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"

/** `path`: the page's, without locale prefix. `signsIn`: the page itself asks to sign in. */
type AccountMenuProps = { email: string | null; ownsService: boolean; path: string; signsIn?: boolean }

/**
 * Link to the visitor's services if there are any; sign-in link or sign-out button. They load a whole document, since the
 * page header changes. A browser that has bought a service is not asked for a password, which may never have been chosen.
 */
export function AccountMenu({ email, ownsService, path, signsIn }: AccountMenuProps) {
  const { t } = useTranslation()
  const page = `${BASE}${localPath(useLocale(), path)}`
  if (email === null && ownsService) return <OwnServices path={path} />
  if (email === null) {
    return signsIn ? null : (
      <a className="button account" href={`${page}?signin`}>
        {t("frame.signIn")}
      </a>
    )
  }
  return (
    <>
      {ownsService && <OwnServices path={path} />}
      <form className="account" method="post" action={`${page}?signout`}>
        <span className="account-email" aria-hidden="true">
          {email}
        </span>
        <button>
          {t("frame.signOut")}
          <span className="hidden"> {email}</span>
        </button>
      </form>
    </>
  )
}

function OwnServices({ path }: Pick<AccountMenuProps, "path">) {
  const { t } = useTranslation()
  return (
    <a
      className="button account"
      href={`${BASE}${localPath(useLocale(), ownServicesPath)}`}
      aria-current={showsService(path) ? "page" : undefined}
    >
      {t("title.success")}
    </a>
  )
}

/**
 * For signed-out visitors whose session has an order, a service or an e-mail. The sign-in link is for those whose header
 * has none; a page with login details does not ask for a password, and one that asks to sign in has no link to itself.
 */
export function DeviceLinks({ ownsService, path, signsIn }: Omit<AccountMenuProps, "email">) {
  const { t } = useTranslation()
  const page = `${BASE}${localPath(useLocale(), path)}`
  return (
    <span className="device-links">
      {ownsService && !signsIn && !showsService(path) && (
        <a className="quiet" href={`${page}?signin`}>
          {t("frame.signIn")}
        </a>
      )}
      <a className="quiet" href={`${page}?forget`}>
        {t("frame.forget")}
      </a>
    </span>
  )
}
