import { BASE } from "~/domain/base-path"
import { localPath } from "~/domain/locales"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"

/** `path`: the page's, without locale prefix. */
type AccountMenuProps = { email: string | null; path: string }

/** Sign-in link or sign-out button. Both load a whole document, since the page header changes. */
export function AccountMenu({ email, path }: AccountMenuProps) {
  const { t } = useTranslation()
  const page = `${BASE}${localPath(useLocale(), path)}`
  if (email === null) {
    return (
      <a className="button account" href={`${page}?signin`}>
        {t("frame.signIn")}
      </a>
    )
  }
  return (
    <form className="account" method="post" action={`${page}?signout`}>
      <span className="account-email" aria-hidden="true">
        {email}
      </span>
      <button>
        {t("frame.signOut")}
        <span className="hidden"> {email}</span>
      </button>
    </form>
  )
}

/** For signed-out visitors whose session has an order, a service or an e-mail. */
export function ForgetDevice({ path }: Pick<AccountMenuProps, "path">) {
  const { t } = useTranslation()
  const page = `${BASE}${localPath(useLocale(), path)}`
  return (
    <a className="quiet" href={`${page}?forget`}>
      {t("frame.forget")}
    </a>
  )
}
