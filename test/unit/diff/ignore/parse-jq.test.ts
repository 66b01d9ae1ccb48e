import { describe, expect, test } from 'vitest';
import { errorsOf, ignoresOf } from './fixtures.ts';

describe('means the same as keyed paths', () => {
  test.each<[string, ...string[]]>([
    ['.spec.replicas', '.spec.replicas'],
    [' .spec.replicas? ', '.spec.replicas'],
    ['.spec | .replicas', '.spec.replicas'],
    ['. | .spec', '.spec'],
    ['.spec["a.b"].c', '.spec."a.b".c'],
    ['.["spec"]', '."spec"'],
    ['.metadata.annotations."a/b"', '.metadata.annotations."a/b"'],
    ['.spec.template.spec.containers[].resources', '.spec.template.spec.containers[*].resources'],
    ['.spec.template.spec.containers[0].image', '.spec.template.spec.containers[0].image'],
    ['.webhooks[]?.clientConfig.caBundle', '.webhooks[*].clientConfig.caBundle'],
    ['.spec.a.[].b', '.spec.a[*].b'],
    ['.a[] | select(.name == "web")', '.a[name="web"]'],
    ['.a[]|select(.name=="web")|.image', '.a[name="web"].image'],
    ['.a[] | select(.name == "web").image', '.a[name="web"].image'],
    ['(.a[] | select(.name == "web")).image', '.a[name="web"].image'],
    ['.a[] | select("web" == .name)', '.a[name="web"]'],
    ['.a[] | select(.port == 8080)', '.a[port="8080"]'],
    ['.a[] | select(.on == true)', '.a[on="true"]'],
    ['.a[] | select(.metadata.name == "data") | .status', '.a[metadata.name="data"].status'],
    ['.a[] | select(.name == "a*")', '.a[name="a*"]'],
    ['.a[] | select(.name == "x" or .name == "y") | .z', '.a[name="x"].z', '.a[name="y"].z'],
    ['.a[] | select(.name == "x" and .b == "y")', '.a[name="x",b="y"]'],
    ['.a[] | select((.name == "x" or .name == "y") and (.b == "z"))', '.a[name="x",b="z"]', '.a[name="y",b="z"]'],
    ['.a[] | select(.name == "x") | select(.b == "y")', '.a[name="x",b="y"]'],
    ['.a[] | select(.name == "x") | .env[] | select(.name == "y") | .value', '.a[name="x"].env[name="y"].value'],
    ['.a[] | select(.name | startswith("x-"))', '.a[name=x-*]'],
    ['.a[] | select(.name | startswith("x-") or endswith("-y"))', '.a[name=x-*]', '.a[name=*-y]'],
    ['.a[] | select(.name | contains("-x-"))', '.a[name=*-x-*]'],
    ['.a[] | select(.name | test("^x-"))', '.a[name=x-*]'],
    ['.a[] | select(.name|test("-x$"))', '.a[name=*-x]'],
    ['.a[] | select(.name | test("x"))', '.a[name=*x*]'],
    [String.raw`.a[] | select(.name | test("^x\\.y.*z$"))`, '.a[name=x.y*z]'],
    [String.raw`.a[] | select(.name | test("x\\$"))`, '.a[name=*x$*]'],
    ['.a[] | select(.name | test("^(?:x|y)-z"))', '.a[name=x-z*]', '.a[name=y-z*]'],
    ['.a[] | select(.name | test("^x|y$"))', '.a[name=x*]', '.a[name=*y]'],
    ['.a, .b[].c', '.a', '.b[*].c'],
    ['.a, .b | .c', '.a.c', '.b.c'],
    ['.data["A"], .data["B"]', '.data."A"', '.data."B"'],
  ])('%s', (expression, ...paths) => {
    expect(ignoresOf({ jqPathExpressions: [expression] })).toEqual(ignoresOf({ paths }));
  });

  test('items that have something, and items by what they are, which no keyed path says', () => {
    const [has] = ignoresOf({ jqPathExpressions: ['.a[] | select(.b != null)'] }).paths;
    expect(has?.path.rest?.step).toEqual({ type: 'where', conditions: [{ field: ['b'], wants: 'present' }] });
    const [is] = ignoresOf({ jqPathExpressions: ['.metadata.finalizers[] | select(startswith("x"))'] }).paths;
    expect(is?.path.rest?.rest?.step).toEqual({ type: 'where', conditions: [{ field: [], wants: ['x', ''] }] });
    const [equals] = ignoresOf({ jqPathExpressions: ['.a[] | select(. == "x")'] }).paths;
    expect(equals?.path.rest?.step).toEqual({ type: 'where', conditions: [{ field: [], wants: ['x'] }] });
  });
});

describe('is refused with the part that is not understood', () => {
  test.each<[string, string]>([
    ['', 'its end'],
    ['spec.replicas', 'spec'],
    ['/spec/replicas', '/'],
    ['.spec.', 'its end after a dot'],
    ['.spec..x', '..'],
    ['..', '..'],
    ['.. | .image?', '..'],
    ['.data.ca-bundle', '-'],
    ['[0]', '['],
    ['.a[', '[its end its end'],
    ['.a[-1]', '[-1]'],
    ['.a[1:2]', '[1 :'],
    ['.a[*].b', '[*]'],
    ['.a[.b]', '[.b]'],
    ['.a | to_entries[] | select(.key == "b")', 'to_entries'],
    ['.a | with_entries(select(.key == "b"))', 'with_entries'],
    ['.a | keys[]', 'keys'],
    ['.a | .b as $x | .c', 'as'],
    ['if .a then .b else .c end', 'if'],
    ['.a // .b', '//'],
    ['.a)', ')'],
    ['(.a', 'its end in the place of )'],
    ['select(.kind == "x") | .spec', 'select(…) elsewhere than after []'],
    ['.spec | select(.a == "x")', 'select(…) elsewhere than after []'],
    ['.a[] | select(.b)', 'a condition that compares nothing'],
    ['.a[] | select("b")', 'a condition that compares nothing'],
    ['.a[] | select(.b == .c)', '== between other things than a field and a value'],
    ['.a[] | select(.b != "c")', '!= with a value'],
    ['.a[] | select(.b == null)', '== null'],
    ['.a[] | select(.b[0] == "c")', '[] or an index in a condition'],
    ['.a[] | select(.b == "c" | not)', 'a pipe after something else than a field'],
    ['.a[] | select(any(.b[]; . == "c"))', 'any'],
    ['.a[] | select(.b | contains(["c"]))', 'contains'],
    ['.a[] | select(.b | ascii_downcase == "c")', 'ascii_downcase'],
    ['.a[] | select(.b | ltrimstr("c"))', 'ltrimstr'],
    ['.a[] | select(.b | test("c"; "i"))', 'test'],
    ['.a[] | select(.b | test("a.c"))', '. in test("a.c")'],
    ['.a[] | select(.b | test("[a-z]"))', '[ in test("[a-z]")'],
    [String.raw`.a[] | select(.b | test("\\d"))`, String.raw`\d in test("\\d")`],
    [String.raw`.a[] | select(.b | test("\\(-|-\\)"))`, String.raw`| in test("\\(-|-\\)")`],
    ['.a[] | select(.b | test("((a|b)c|d)"))', '( in test("((a|b)c|d)")'],
    ['.a[] | select(.b < 1)', '< in a condition'],
    [String.raw`.a["\(.b)"]`, String.raw`the string "\(.b)"`],
    ['.a["b', '[" b'],
    [`.a[] | select(${Array.from({ length: 7 }, (_, at) => `(.a == "${at}" or .b == "${at}")`).join(' and ')})`, 'a condition with more than 64 cases'],
    [`.a${'[] | select(.b == "1" or .b == "2")'.repeat(7)}`, 'an expression for more than 64 paths'],
    ['('.repeat(1000), 'its end'],
    [`.a[] | select(${'('.repeat(900)}`, 'its end in a condition'],
  ])('%s', (expression, part) => {
    const [error = ''] = errorsOf([{ jqPathExpressions: [expression] }]);
    expect(error).toContain('[0].jqPathExpressions[0]: wanted a jq path such as ');
    expect(error).toContain(`under paths: ${part} is not understood; got ${JSON.stringify(expression).slice(0, 200)}`);
  });
});
