/**
 * Turn a schema that only checks into one plain predicate over JSON: whether it fits, with no property in excess.
 *
 * In:  the AST of a schema.      Out: its predicate; undefined when the schema transforms, or says what is not read here.
 * Not here: what is wrong with a value that does not fit; the schema says that (`EventCodec.ts`).
 * Source: every event is checked when it is appended and again when it is loaded, and the parser of schemas takes ten
 * times as long to say yes; test/event/fits.prop.test.ts holds both together.
 */
import { Schema, type SchemaAST } from "effect"

type Json = Schema.Json
type Members = { readonly [key: string]: Json }

export type Fits = (value: Json) => boolean

const json: SchemaAST.AST = Schema.Json.ast

export const compile = (ast: SchemaAST.AST): Fits | undefined => {
  const fits = ast.encoding === undefined ? compileKind(ast) : undefined
  const checks = flatten(ast.checks ?? [])
  return fits && checks.reduce((before, check) => (value) => before(value) && passes(check, value, ast), fits)
}

const noOptions = {}

const passes = (check: SchemaAST.Filter<unknown>, value: Json, ast: SchemaAST.AST): boolean =>
  check.run(value, ast, noOptions) === undefined

const compileKind = (ast: SchemaAST.AST): Fits | undefined => {
  switch (ast._tag) {
    case "String":
      return (value) => typeof value === "string"
    case "Number":
      return (value) => typeof value === "number"
    case "Boolean":
      return (value) => typeof value === "boolean"
    case "Null":
      return (value) => value === null
    case "Literal":
      return (value) => value === ast.literal
    case "Declaration":
      return isAnyJson(ast) ? () => true : undefined
    case "Union":
      return compileUnion(ast)
    case "Arrays":
      return compileArray(ast)
    case "Objects":
      return ast.indexSignatures.length === 0 ? compileStruct(ast) : compileRecord(ast)
    default:
      return undefined
  }
}

/** The same declaration with other annotations, such as that it is optional, is another AST. */
const isAnyJson = ({ run }: SchemaAST.Declaration): boolean => json._tag === "Declaration" && run === json.run

const flatten = (checks: ReadonlyArray<SchemaAST.Check<unknown>>): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  checks.flatMap((check) => (check._tag === "Filter" ? [check] : flatten(check.checks)))

const compileAll = (asts: ReadonlyArray<SchemaAST.AST>): ReadonlyArray<Fits> | undefined => {
  const all = asts.flatMap((ast) => compile(ast) ?? [])
  return all.length === asts.length ? all : undefined
}

const compileUnion = ({ types, options }: SchemaAST.Union): Fits | undefined => {
  const choices = options?.mode === "oneOf" ? undefined : compileAll(types)
  return choices && ((value) => choices.some((fits) => fits(value)))
}

const compileArray = ({ elements, rest }: SchemaAST.Arrays): Fits | undefined => {
  const [member] = compileAll(rest) ?? []
  if (member === undefined || elements.length > 0 || rest.length > 1) return undefined
  return (value) => isList(value) && value.every(member)
}

const compileRecord = ({ propertySignatures, indexSignatures }: SchemaAST.Objects): Fits | undefined => {
  const [signature, ...others] = indexSignatures
  if (signature === undefined || others.length > 0 || propertySignatures.length > 0) return undefined
  const { parameter, type } = signature
  const member = parameter._tag === "String" && parameter.checks === undefined ? compile(type) : undefined
  return member && ((value) => isObject(value) && Object.values(value).every(member))
}

interface Member {
  readonly name: string
  readonly isOptional: boolean
  readonly fits: Fits
}

const compileStruct = ({ propertySignatures }: SchemaAST.Objects): Fits | undefined => {
  const members: Array<Member> = []
  for (const { name, type } of propertySignatures) {
    const fits = compile(type)
    // What every object inherits would be found in an object that does not have it.
    if (fits === undefined || typeof name !== "string" || name in Object.prototype) return undefined
    members.push({ name, isOptional: type.context?.isOptional === true, fits })
  }
  return (value) => {
    if (!isObject(value)) return false
    let found = 0
    for (const { name, isOptional, fits } of members) {
      const member = value[name]
      if (member === undefined ? !isOptional : !fits(member)) return false
      if (member !== undefined) found++
    }
    for (const _ in value) found--
    return found === 0
  }
}

const isList = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)

const isObject = (value: Json): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)
