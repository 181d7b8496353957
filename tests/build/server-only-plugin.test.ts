import { build } from "vite"
import { expect, test } from "vitest"
import { serverOnlyFolders } from "../../scripts/build/server-only-plugin.mjs"

/** Builds one browser file from a module with the given path and text. */
function bundled(path: string) {
  const entry = "virtual-entry"
  return build({
    configFile: false,
    logLevel: "silent",
    plugins: [
      {
        name: "modules",
        resolveId: (id) => (id === entry || id === path ? id : null),
        load: (id) =>
          id === entry
            ? `import { text } from "${path}"; export const shown = text`
            : 'export const text = "Hello"',
      },
      serverOnlyFolders(),
    ],
    build: { write: false, rollupOptions: { input: entry, preserveEntrySignatures: "strict" } },
  })
}

test("a module of mail in the browser's files fails the build and is named", async () => {
  await expect(bundled("/shop/app/mail/messages/translations/en-en.ts")).rejects.toThrow(
    "app/mail/messages/translations/en-en.ts",
  )
})

test("other modules pass", async () => {
  await expect(bundled("/shop/app/i18n/translations/en-en.ts")).resolves.toBeDefined()
})
