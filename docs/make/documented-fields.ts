import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A field of an interface with what its comment says. */
export interface DocumentedField {
  readonly name: string;
  readonly isOptional: boolean;
  /** The comment without its default. */
  readonly meaning: string;
  /** What the comment says after `Default:`; '' where it says nothing. */
  readonly fallback: string;
}

const ROOT = join(import.meta.dirname, '../..');

/** The fields of an interface in a source file, with their comments. A field without a comment is an error: the reference would be empty there. */
export function documentedFields(file: string, name: string): DocumentedField[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const found = source.statements.find(
    (statement): statement is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  );
  if (found === undefined) throw new Error(`${file} has no interface ${name}`);
  return found.members.filter(ts.isPropertySignature).map((member) => {
    const [comment] = ts.getJSDocCommentsAndTags(member);
    const text = ts.getTextOfJSDocComment(comment?.comment)?.replaceAll(/\s+/g, ' ') ?? '';
    const [, meaning = '', fallback = ''] = /^(.*?)(?:\s*\bDefault: (.*?)\.?)?$/.exec(text)!;
    if (meaning === '')
      throw new Error(`${file}: ${name}.${member.name.getText()} has no comment that says what it is`);
    return {
      name: member.name.getText(),
      isOptional: member.questionToken !== undefined,
      meaning: meaning!,
      fallback,
    };
  });
}
