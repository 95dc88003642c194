/** What `same` tells apart. Checked by the compiler alone. */
import { same } from "./same.ts"

same<"a" | "b", "b" | "a">(true)
same<{ readonly a: string }, { readonly a: string }>(true)

same<string, unknown>(false)
same<any, string>(false)
same<never, string>(false)
same<{ a: string }, { readonly a: string }>(false)
same<{ a?: string }, { a: string | undefined }>(false)

// @ts-expect-error: the types differ
same<string, number>(true)
