# The TCK's sources with our pool in place of ThreadPoolExecutor, for sed -E.
s/\bjava\.util\.concurrent\.(ThreadPoolExecutor|RejectedExecutionHandler)\b/ayatori.tck.\1/
s/^import java\.util\.concurrent\.\*;/&\nimport ayatori.tck.ThreadPoolExecutor;\nimport ayatori.tck.RejectedExecutionHandler;/
s/\bExecutors\.(newCachedThreadPool|newFixedThreadPool|newSingleThreadExecutor)\(/ayatori.tck.Pools.\1(/
# Executors that the tests bring along.
s/\bnew DirectExecutorService\(\)/ayatori.tck.Pools.newFixedThreadPool(2)/
s/\bnew Thread\(tg, r\)\.start\(\)/ayatori.tck.Pools.inGroup(tg).execute(r)/
# The list of all classes, of which we compile some.
s/^ +[A-Za-z0-9]+Test\.suite\(\)(,|\);)$/\1/
s/^,$//
# The pool that the tests share.
/static final ExecutorService cachedThreadPool =$/,/;$/d
s/\bcachedThreadPool\b/ayatori.tck.Pools.shared()/
