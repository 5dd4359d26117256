package jpi.internal.objects;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Classes of the JDK that may travel: values, collections, their comparators and the usual exceptions. None of them runs foreign
 * code, loads a class, or opens anything when it is made from bytes.
 */
final class JdkTypes {
    /** A package, and names of classes in it; those that a message never shows are what Java serialisation makes of others. */
    private static final String LIST = """
            java.lang: Object Enum Record Number Boolean Byte Character Short Integer Long Float Double String Class
            java.lang: StringBuilder StringBuffer String$CaseInsensitiveComparator StackTraceElement
            java.lang: Comparable CharSequence Iterable Cloneable Runnable Void
            java.lang: Throwable Exception RuntimeException Error AssertionError ArithmeticException
            java.lang: ArrayIndexOutOfBoundsException ArrayStoreException ClassCastException CloneNotSupportedException
            java.lang: IllegalArgumentException IllegalStateException IndexOutOfBoundsException InterruptedException
            java.lang: NegativeArraySizeException NullPointerException NumberFormatException OutOfMemoryError
            java.lang: SecurityException StackOverflowError StringIndexOutOfBoundsException UnsupportedOperationException
            java.lang: VirtualMachineError MatchException
            java.io: Serializable File IOException EOFException FileNotFoundException UncheckedIOException
            java.math: BigInteger BigDecimal MathContext RoundingMode
            java.net: URI
            java.nio: HeapByteBuffer DirectByteBuffer
            java.sql: Date Time Timestamp
            java.time: DateTimeException DayOfWeek Duration Instant LocalDate LocalDateTime LocalTime Month
            java.time: MonthDay OffsetDateTime OffsetTime Period Ser Year YearMonth ZoneId ZoneOffset ZoneRegion
            java.time: ZonedDateTime
            java.time.temporal: ChronoField ChronoUnit
            java.util: AbstractCollection AbstractList AbstractList$RandomAccessSubList AbstractList$SubList
            java.util: AbstractMap AbstractMap$SimpleEntry AbstractMap$SimpleImmutableEntry
            java.util: AbstractQueue AbstractSequentialList AbstractSet ArrayDeque ArrayList ArrayList$SubList
            java.util: Arrays$ArrayList BitSet Collection Collections$EmptyList Collections$EmptyMap Collections$EmptySet
            java.util: Collections$CopiesList Collections$ReverseComparator Collections$ReverseComparator2
            java.util: Collections$SetFromMap Collections$SingletonList Collections$SingletonMap Collections$SingletonSet
            java.util: Collections$SynchronizedCollection Collections$SynchronizedList Collections$SynchronizedMap
            java.util: Collections$SynchronizedRandomAccessList Collections$SynchronizedSet
            java.util: Collections$SynchronizedSortedMap Collections$SynchronizedSortedSet
            java.util: Collections$UnmodifiableCollection Collections$UnmodifiableList Collections$UnmodifiableMap
            java.util: Collections$UnmodifiableRandomAccessList Collections$UnmodifiableSet
            java.util: Collections$UnmodifiableSortedMap Collections$UnmodifiableSortedSet CollSer Comparator
            java.util: Comparators$NaturalOrderComparator ConcurrentModificationException Currency Date Deque
            java.util: EmptyStackException EnumMap EnumSet EnumSet$SerializationProxy HashMap HashSet Hashtable
            java.util: IdentityHashMap KeyValueHolder ImmutableCollections$List12 ImmutableCollections$ListN ImmutableCollections$Map1
            java.util: ImmutableCollections$MapN ImmutableCollections$Set12 ImmutableCollections$SetN
            java.util: ImmutableCollections$SubList JumboEnumSet LinkedHashMap LinkedHashSet LinkedList List Locale
            java.util: Locale$Category Map Map$Entry MissingResourceException NavigableMap NavigableSet
            java.util: NoSuchElementException Optional OptionalDouble OptionalInt OptionalLong PriorityQueue Properties
            java.util: Queue RegularEnumSet Set SortedMap SortedSet Stack TreeMap TreeSet UUID Vector
            java.util.concurrent: CancellationException CompletionException ConcurrentHashMap
            java.util.concurrent: ConcurrentHashMap$CollectionView ConcurrentHashMap$KeySetView
            java.util.concurrent: ConcurrentHashMap$Segment ConcurrentLinkedDeque ConcurrentLinkedQueue
            java.util.concurrent: ConcurrentSkipListMap ConcurrentSkipListSet CopyOnWriteArrayList CopyOnWriteArraySet
            java.util.concurrent: ExecutionException LinkedBlockingQueue
            java.util.concurrent: TimeUnit TimeoutException
            java.util.concurrent.atomic: AtomicBoolean AtomicInteger AtomicIntegerArray AtomicLong AtomicLongArray
            java.util.concurrent.atomic: AtomicReference AtomicReferenceArray DoubleAdder DoubleAdder$SerializationProxy
            java.util.concurrent.atomic: LongAdder LongAdder$SerializationProxy Striped64
            java.util.regex: Pattern
            """;

    private static final Set<String> NAMES = LIST.lines()
            .flatMap(line -> {
                String pack = line.substring(0, line.indexOf(':'));
                return Arrays.stream(line.substring(pack.length() + 2).split(" "))
                        .map(name -> pack + "." + name);
            })
            .collect(Collectors.toUnmodifiableSet());

    private JdkTypes() {}

    /** If objects of a class may travel. */
    static boolean contains(String className) {
        return NAMES.contains(className);
    }
}
